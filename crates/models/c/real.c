/* A double taken apart and put together: what <math.h> needs for all its types. */

/* x = result * 2^exponent with 0.5 <= |result| < 1, for a finite x other than zero. */
double __braid_fraction(double x, int *exponent)
{
    unsigned long long bits = __braid_double_bits(x);
    int biased = (int)(bits >> 52 & 0x7ff);
    *exponent = 0;
    if (x == 0 || biased == 0x7ff)
        return x + x;
    if (!biased) {
        double result = __braid_fraction(x * 0x1p64, exponent);
        *exponent -= 64;
        return result;
    }
    *exponent = biased - 1022;
    return __braid_double_from_bits((bits & ~(0x7ffull << 52)) | 1022ull << 52);
}

/* x * 2^n, rounded once. */
double __braid_scale(double x, long n)
{
    int exponent;
    unsigned long long bits;
    double fraction = __braid_fraction(x, &exponent);
    if (x == 0 || x - x != 0)
        return x + x;
    if (n > 5000)
        n = 5000;
    if (n < -5000)
        n = -5000;
    exponent += (int)n;
    bits = __braid_double_bits(fraction) & ~(0x7ffull << 52);
    if (exponent > 1024)
        return fraction * 0x1p1023 * 4;
    if (exponent < -1080)
        return fraction * 0x1p-1022 * 0x1p-100;
    if (exponent >= -1021)
        return __braid_double_from_bits(bits | (unsigned long long)(exponent + 1022) << 52);
    /* Below the normal numbers: built 2^64 times larger, so that the product rounds. */
    return __braid_double_from_bits(bits | (unsigned long long)(exponent + 64 + 1022) << 52) * 0x1p-64;
}
