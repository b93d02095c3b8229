//@ error: 8 no-such-member
//@ error: 9 bad-designator
//@ error: 10 bad-designator
// Designators that name nothing.
struct s { int a, b; };

int main(void) {
    struct s s = {.c = 1};
    int a[3] = {[5] = 1};
    struct s t = {[0] = 1};
    return s.a + a[0] + t.a;
}
