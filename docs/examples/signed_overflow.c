// The middle of two numbers, for any two numbers. FIXED: no sum of both.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
#ifdef FIXED
    int middle = low + (high - low) / 2;
#else
    int middle = (low + high) / 2;
#endif
    return middle < low;
}
