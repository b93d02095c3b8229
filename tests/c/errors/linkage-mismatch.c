//@ error: 4:12 linkage-mismatch
// static after an external declaration.
int helper(int);
static int helper(int x) { return x; }

int main(void) { return helper(0); }
