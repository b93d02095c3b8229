//@ error: 8 no-such-member
//@ error: 9 no-such-member
// A misspelt member, by . and by ->.
struct person { int age; char name[8]; };

int main(void) {
    struct person p = {1, "a"}, *q = &p;
    p.aeg = 5;
    return q->height;
}
