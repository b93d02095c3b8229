#define INNER 1
