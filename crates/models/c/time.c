/* Clocks. A reading is an arbitrary value: calendar time can be set to anything, the other clocks only
   run forward. */

struct timeval {
    long tv_sec;
    long tv_usec;
};

struct timespec {
    long tv_sec;
    long tv_nsec;
};

static long reading(void)
{
    return (long)((unsigned long)__braid_clock_long() & (unsigned long)-1 / 2);
}

static long reading_below(long limit)
{
    return reading() % limit;
}

/* The latest readings of the clocks that run forward. */
static long processor_time;
static struct timespec monotonic;

long time(long *result)
{
    long now = reading();
    if (result)
        *result = now;
    return now;
}

long clock(void)
{
    long now = reading();
    __braid_atomic_begin();
    if (now > processor_time)
        processor_time = now;
    now = processor_time;
    __braid_atomic_end();
    return now;
}

int gettimeofday(struct timeval *now, void *zone)
{
    now->tv_sec = reading();
    now->tv_usec = reading_below(1000000);
    /* struct timezone, long obsolete: two ints. */
    if (zone) {
        ((int *)zone)[0] = 0;
        ((int *)zone)[1] = 0;
    }
    return 0;
}

int clock_gettime(int clock, struct timespec *now)
{
    long seconds;
    long nanoseconds;
    if (clock < 0 || clock > 11 || clock == 10) {
        *__errno_location() = EINVAL;
        return -1;
    }
    seconds = reading();
    nanoseconds = reading_below(1000000000);
    /* All but the clocks of calendar time (real time, its coarse form, the alarm, TAI). */
    if (clock != 0 && clock != 5 && clock != 8 && clock != 11) {
        __braid_atomic_begin();
        if (seconds < monotonic.tv_sec)
            seconds = monotonic.tv_sec;
        if (seconds == monotonic.tv_sec && nanoseconds < monotonic.tv_nsec)
            nanoseconds = monotonic.tv_nsec;
        monotonic.tv_sec = seconds;
        monotonic.tv_nsec = nanoseconds;
        __braid_atomic_end();
    }
    now->tv_sec = seconds;
    now->tv_nsec = nanoseconds;
    return 0;
}

int clock_getres(int clock, struct timespec *resolution)
{
    if (clock < 0 || clock > 11 || clock == 10) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (resolution) {
        resolution->tv_sec = 0;
        /* The coarse clocks tick every 4 milliseconds. */
        resolution->tv_nsec = clock == 5 || clock == 6 ? 4000000 : 1;
    }
    return 0;
}

int timespec_get(struct timespec *now, int base)
{
    if (base != 1)
        return 0;
    now->tv_sec = reading();
    now->tv_nsec = reading_below(1000000000);
    return base;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}
