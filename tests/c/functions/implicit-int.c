//@ property: all verdict: safe
//@ run: gcc
// Declarations without a type mean int (with a warning), as in old programs.
extern printf();
static counter = 5;
const limit = 3;

next() {
    return ++counter;
}

twice(n) {
    return n * 2;
}

main() {
    register i;
    auto total = 0;
    for (i = 0; i < limit; i++)
        total += twice(next());
    printf("%d %d\n", total, counter);
    return 0;
}
