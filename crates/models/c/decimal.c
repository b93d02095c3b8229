/* Exact decimal numbers, for printing and reading floating point. A number m * 2^e is turned into
   decimal words by multiplying or dividing by 2 up to 29 bits at a time; nothing is rounded until the
   caller says where. Layout: see the prelude. */

enum { RADIX = 40, WORDS = 220 };

static const unsigned powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

void __braid_decimal_clear(struct __braid_decimal *d)
{
    d->first = RADIX;
    d->last = RADIX;
    d->sticky = 0;
}

static void multiply(struct __braid_decimal *d, int bits)
{
    unsigned long long carry = 0;
    int i;
    for (i = d->last - 1; i >= d->first; i--) {
        unsigned long long x = ((unsigned long long)d->word[i] << bits) + carry;
        d->word[i] = (unsigned)(x % 1000000000);
        carry = x / 1000000000;
    }
    if (carry)
        d->word[--d->first] = (unsigned)carry;
    while (d->last > RADIX && !d->word[d->last - 1])
        d->last--;
}

static void divide(struct __braid_decimal *d, int bits)
{
    unsigned long long mask = (1ull << bits) - 1;
    unsigned long long carry = 0;
    int i;
    for (i = d->first; i < d->last; i++) {
        unsigned long long x = carry * 1000000000 + d->word[i];
        d->word[i] = (unsigned)(x >> bits);
        carry = x & mask;
    }
    while (carry && d->last < WORDS) {
        unsigned long long x = carry * 1000000000;
        d->word[d->last++] = (unsigned)(x >> bits);
        carry = x & mask;
    }
    if (carry)
        d->sticky = 1;
    while (d->first < RADIX && !d->word[d->first])
        d->first++;
}

/* Times 2^exponent. */
void __braid_decimal_scale(struct __braid_decimal *d, int exponent)
{
    while (exponent > 0) {
        int bits = exponent < 29 ? exponent : 29;
        multiply(d, bits);
        exponent -= bits;
    }
    while (exponent < 0) {
        int bits = exponent > -29 ? -exponent : 29;
        divide(d, bits);
        exponent += bits;
    }
}

void __braid_decimal_from(struct __braid_decimal *d, unsigned long long mantissa, int exponent)
{
    __braid_decimal_clear(d);
    if (!mantissa)
        return;
    /* Fewer fraction bits, fewer words. */
    while (exponent < 0 && !(mantissa & 1)) {
        mantissa >>= 1;
        exponent++;
    }
    while (mantissa) {
        d->word[--d->first] = (unsigned)(mantissa % 1000000000);
        mantissa /= 1000000000;
    }
    __braid_decimal_scale(d, exponent);
}

/* Position p is the digit that counts 10^p. */
static int word_of(int position)
{
    return position >= 0 ? RADIX - 1 - position / 9 : RADIX + (-position - 1) / 9;
}

static unsigned unit_of(int position)
{
    return powers[position >= 0 ? position % 9 : 8 - (-position - 1) % 9];
}

int __braid_decimal_digit(struct __braid_decimal *d, int position)
{
    int index = word_of(position);
    if (index < d->first || index >= d->last)
        return 0;
    return (int)(d->word[index] / unit_of(position) % 10);
}

/* Adds `digit` at a position that is still zero; positions beyond the last word are dropped. */
void __braid_decimal_set_digit(struct __braid_decimal *d, int position, int digit)
{
    int index = word_of(position);
    if (index >= WORDS) {
        if (digit)
            d->sticky = 1;
        return;
    }
    while (d->first > index)
        d->word[--d->first] = 0;
    while (d->last <= index)
        d->word[d->last++] = 0;
    d->word[index] += (unsigned)digit * unit_of(position);
}

/* Position of the first digit that is not zero; 0 if there is none. */
int __braid_decimal_leading(struct __braid_decimal *d)
{
    int index = d->first;
    int position;
    while (index < d->last && !d->word[index])
        index++;
    if (index == d->last)
        return 0;
    position = (RADIX - 1 - index) * 9 + 8;
    while (!__braid_decimal_digit(d, position))
        position--;
    return position;
}

/* Whether the digits below `position` are more than (1), exactly (0) or less than (-1) a half. */
static int compare_rest_with_half(struct __braid_decimal *d, int position)
{
    int digit = __braid_decimal_digit(d, position - 1);
    int index = word_of(position - 1);
    int i;
    if (digit != 5)
        return digit > 5 ? 1 : -1;
    if (d->word[index] % unit_of(position - 1))
        return 1;
    for (i = index + 1; i < d->last; i++)
        if (d->word[i])
            return 1;
    return d->sticky;
}

/* Rounds to the nearest multiple of 10^position, ties to an even digit. Digits below stay as they
   are: the caller does not look at them. */
void __braid_decimal_round(struct __braid_decimal *d, int position)
{
    int rest = compare_rest_with_half(d, position);
    int index = word_of(position);
    if (rest < 0 || (rest == 0 && __braid_decimal_digit(d, position) % 2 == 0))
        return;
    while (d->first > index)
        d->word[--d->first] = 0;
    d->word[index] += unit_of(position);
    while (d->word[index] >= 1000000000) {
        d->word[index] -= 1000000000;
        index--;
        if (index < d->first)
            d->word[--d->first] = 0;
        d->word[index]++;
    }
}

unsigned long long __braid_double_bits(double value)
{
    union {
        double value;
        unsigned long long bits;
    } both;
    both.value = value;
    return both.bits;
}

double __braid_double_from_bits(unsigned long long bits)
{
    union {
        unsigned long long bits;
        double value;
    } both;
    both.bits = bits;
    return both.value;
}
