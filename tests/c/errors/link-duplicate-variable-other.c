//@ part

int level = 2;
int get(void) { return level; }
