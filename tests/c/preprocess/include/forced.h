#define FORCED 3
static int forced_function(int x) { return x * FORCED; }
