// A mask for any number of bits up to 32. FIXED: 32 is a case of its own.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned bits = __VERIFIER_nondet_uint();
    if (bits > 32)
        return 0;
#ifdef FIXED
    unsigned mask = bits == 32 ? ~0u : (1u << bits) - 1;
#else
    unsigned mask = (1u << bits) - 1;
#endif
    return mask == 5;
}
