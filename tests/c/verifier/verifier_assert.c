//@ property: assertion verdict: unsafe line: 12
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: __CPROVER_assert __ESBMC_assert
// The assertions of other tools.
_Bool nondet_bool(void);
void __CPROVER_assert(_Bool cond, const char *text);
void __ESBMC_assert(_Bool cond, const char *text);

int main(void) {
    _Bool a = nondet_bool();
    __CPROVER_assert(a || !a, "one or the other");
    __ESBMC_assert(a, "a");
    return 0;
}
