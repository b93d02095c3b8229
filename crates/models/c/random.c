/* Pseudo-random numbers. The numbers of the generators with a state of their own are open where a program is checked:
   any value in their range. Otherwise they are the very sequences of glibc. rand and random are the additive feedback
   generator x[i] = x[i-3] + x[i-31], filled by a linear congruential one, and an atomic section, as glibc's has a
   lock; rand_r and the drand48 family are linear congruential. The state of drand48 is memory that threads can race
   on. */

int __braid_random_is_open = 1;

static unsigned any_number(void)
{
    return (unsigned)__braid_random_int() & 0x7fffffff;
}

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
    if (__braid_random_is_open)
        return;
    __braid_atomic_begin();
    seed_generator(seed);
    __braid_atomic_end();
}

long random(void)
{
    long number;
    if (__braid_random_is_open)
        return (long)any_number();
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

static struct {
    unsigned long long x;
    unsigned long long factor;
    unsigned addend;
    int ready;
    unsigned short old[3];
} drand48_state;

enum { ADDEND = 0xb };

static void set_parameters(unsigned long long factor, unsigned addend)
{
    drand48_state.factor = factor;
    drand48_state.addend = addend;
    drand48_state.ready = 1;
}

/* The next 48 bits. The parameters are set by the first call, whatever function that is. */
static unsigned long long drand_step(unsigned long long x)
{
    if (!drand48_state.ready)
        set_parameters(0x5deece66dull, ADDEND);
    return (x * drand48_state.factor + drand48_state.addend) & 0xffffffffffffull;
}

static unsigned long long join_words(const unsigned short words[3])
{
    return (unsigned long long)words[2] << 32 | (unsigned long long)words[1] << 16 | words[0];
}

static void split_words(unsigned short words[3], unsigned long long x)
{
    words[0] = (unsigned short)x;
    words[1] = (unsigned short)(x >> 16);
    words[2] = (unsigned short)(x >> 32);
}

static unsigned long long step_words(unsigned short words[3])
{
    unsigned long long x = drand_step(join_words(words));
    split_words(words, x);
    return x;
}

static double to_real(unsigned long long x)
{
    return (double)x / 281474976710656.0;
}

void srand48(long seed)
{
    drand48_state.x = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    set_parameters(0x5deece66dull, ADDEND);
}

unsigned short *seed48(unsigned short words[3])
{
    split_words(drand48_state.old, drand48_state.x);
    drand48_state.x = join_words(words);
    set_parameters(0x5deece66dull, ADDEND);
    return drand48_state.old;
}

void lcong48(unsigned short words[7])
{
    drand48_state.x = join_words(words);
    set_parameters(join_words(words + 3), words[6]);
}

static unsigned long long next_state(void)
{
    unsigned long long next = drand_step(drand48_state.x);
    if (__braid_random_is_open)
        next = (unsigned long long)__braid_random_long_long() & 0xffffffffffffull;
    drand48_state.x = next;
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
