/* Pseudo-random numbers, the very sequences of glibc. rand and random are the additive feedback
   generator x[i] = x[i-3] + x[i-31], filled by a linear congruential one; rand_r and the drand48 family
   are linear congruential. What has a state of its own is an atomic section, as glibc's has a lock. */

static unsigned state[31];
static int position;
static int seeded;

/* The sum that leaves the generator is also its new element. */
static unsigned step(void)
{
    unsigned sum;
    int three_back = position + 28;
    if (three_back >= 31)
        three_back -= 31;
    sum = state[position] + state[three_back];
    state[position] = sum;
    if (++position == 31)
        position = 0;
    return sum >> 1;
}

static void seed_generator(unsigned seed)
{
    long long word = (int)(seed ? seed : 1);
    int i;
    state[0] = (unsigned)word;
    for (i = 1; i < 31; i++) {
        /* The remainder takes the sign of the word before, and is then made positive. */
        word = word * 16807 % 2147483647;
        if (word < 0)
            word += 2147483647;
        state[i] = (unsigned)word;
    }
    /* The first sum is that of elements 0 and 3. */
    position = 3;
    seeded = 1;
    for (i = 0; i < 310; i++)
        step();
}

void srandom(unsigned seed)
{
    __braid_atomic_begin();
    seed_generator(seed);
    __braid_atomic_end();
}

long random(void)
{
    long number;
    __braid_atomic_begin();
    if (!seeded)
        seed_generator(1);
    number = (long)step();
    __braid_atomic_end();
    return number;
}

void srand(unsigned seed)
{
    srandom(seed);
}

int rand(void)
{
    return (int)random();
}

int rand_r(unsigned *seed)
{
    unsigned next = *seed;
    unsigned result = 0;
    int i;
    for (i = 0; i < 3; i++) {
        next = next * 1103515245 + 12345;
        result = result << (i ? 10 : 0) ^ (next >> 16) % (i ? 1024 : 2048);
    }
    *seed = next;
    return (int)result;
}

static unsigned long long drand_state;
static unsigned long long drand_factor = 0x5deece66dull;
static unsigned long long drand_addend = 0xb;

/* 48 bits. */
static unsigned long long drand_step(unsigned long long x)
{
    return (x * drand_factor + drand_addend) & 0xffffffffffffull;
}

static unsigned long long step_words(unsigned short words[3])
{
    unsigned long long x = drand_step((unsigned long long)words[2] << 32 | (unsigned long long)words[1] << 16 | words[0]);
    words[0] = (unsigned short)x;
    words[1] = (unsigned short)(x >> 16);
    words[2] = (unsigned short)(x >> 32);
    return x;
}

static double to_real(unsigned long long x)
{
    return (double)x / 281474976710656.0;
}

void srand48(long seed)
{
    __braid_atomic_begin();
    drand_state = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    drand_factor = 0x5deece66dull;
    drand_addend = 0xb;
    __braid_atomic_end();
}

static unsigned long long next_state(void)
{
    unsigned long long next;
    __braid_atomic_begin();
    next = drand_step(drand_state);
    drand_state = next;
    __braid_atomic_end();
    return next;
}

double drand48(void)
{
    return to_real(next_state());
}

double erand48(unsigned short words[3])
{
    return to_real(step_words(words));
}

long lrand48(void)
{
    return (long)(next_state() >> 17);
}

long nrand48(unsigned short words[3])
{
    return (long)(step_words(words) >> 17);
}

long mrand48(void)
{
    return (long)(int)(next_state() >> 16);
}

long jrand48(unsigned short words[3])
{
    return (long)(int)(step_words(words) >> 16);
}
