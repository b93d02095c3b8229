//@ error: 4 wrong-tag
// One tag, two kinds.
struct thing { int x; };
union thing *p;

int main(void) { return 0; }
