//@ part
static long value = 1000;
static long helper(void) {
    static int calls;
    return value + ++calls;
}
int from_b(void) { return helper(); }
