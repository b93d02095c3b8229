//@ error: 10 not-a-pointer
//@ error: 11 not-a-pointer
//@ error: 12 bad-subscript
// *, -> and [] on things that are no pointers.
struct s { int x; };

int main(void) {
    int i = 1;
    struct s s = {2};
    int a = *i;
    int b = s->x;
    int c = i[2];
    return a + b + c;
}
