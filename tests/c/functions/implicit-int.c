//@ property: all verdict: safe
//@ run: gcc
//@ warning: 13 implicit-int
//@ warning: 14 implicit-int
//@ warning: 15 implicit-int
//@ warning: 17 implicit-int
//@ warning: 21 implicit-int
//@ warning: 21 implicit-int
//@ warning: 25 implicit-int
//@ warning: 26 implicit-int
//@ warning: 27 implicit-int
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
