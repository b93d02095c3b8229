//@ error: 7 bit-field
//@ error: 8 bit-field
//@ error: 9 bit-field
//@ error: 15 bit-field
// Widths out of range, wrong types, addresses.
struct s {
    int wide : 33;
    unsigned zero : 0;
    float f : 3;
    int ok : 3;
};

int main(void) {
    struct s s = {0};
    int *p = &s.ok;
    return *p;
}
