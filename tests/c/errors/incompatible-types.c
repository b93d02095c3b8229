//@ error: 12 incompatible-types
//@ error: 13 incompatible-types
//@ error: 14 incompatible-types
// Structs against scalars and other structs.
struct a { int x; };
struct b { int x; };
static int take(struct a s) { return s.x; }

int main(void) {
    struct a a = {1};
    struct b b;
    b = a;
    int i = a;
    take(b);
    return i;
}
