//@ property: all verdict: safe
//@ model: __goblint_check __goblint_assume __VERIFIER_loop_bound
// Claims and assumptions in Goblint's words, a hint in Dartagnan's.
void __goblint_check(int condition);
void __goblint_assume(int condition);
void __VERIFIER_loop_bound(int rounds);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), n = 0;
    __goblint_assume(x >= 0 && x < 3);
    __VERIFIER_loop_bound(4);
    while (x > 0) {
        x--;
        n++;
    }
    __goblint_check(n < 3);
    return 0;
}

//@ known: explicit all unknown(cut)
