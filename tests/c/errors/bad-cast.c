//@ error: 8 bad-cast
//@ error: 9 bad-cast
// Casts that make no sense.
struct s { int x; };

int main(void) {
    struct s s = {1};
    int i = (int)s;
    struct s t = (struct s)i;
    return t.x;
}
