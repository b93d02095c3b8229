//@ property: assertion verdict: unsafe line: 9
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: __VERIFIER_error reach_error
// The call is the violation.
void __VERIFIER_error(void);

static void check(int cond) {
    if (!cond)
        __VERIFIER_error();
}

int main(void) {
    check(1);
    check(0);
    return 0;
}
