//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 10
// A claim that does not hold.
void __goblint_check(int condition);
void __goblint_assume(int condition);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __goblint_assume(x >= 0 && x < 2);
    __goblint_check(x < 1);
    return 0;
}

//@ known: explicit memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
