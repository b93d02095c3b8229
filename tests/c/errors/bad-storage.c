//@ error: 4 bad-storage
//@ error: 7 bad-storage
// Storage classes in the wrong place.
register int global;

int main(void) {
    static int inner(void);
    return 0;
}
