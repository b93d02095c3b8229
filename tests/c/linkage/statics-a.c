//@ part
static int value = 10;
struct local { int a, b; };
static int helper(void) { return ++value + (int)sizeof(struct local); }
int from_a(void) { return helper(); }
int (*const exported)(void) = helper;
