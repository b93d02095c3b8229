//@ part
int triple(int x) { return x + x + x; }
int (*address(void))(int) { return triple; }
