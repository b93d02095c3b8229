//@ model: time clock gettimeofday clock_gettime clock_getres timespec_get difftime
//@ property: all verdict: safe
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
    time_t stored;
    time_t now = time(&stored);
    assert(now == stored && now >= 0);
    assert(time(NULL) >= 0);

    clock_t start = clock();
    assert(clock() >= start);

    struct timeval day;
    assert(gettimeofday(&day, NULL) == 0 && day.tv_usec >= 0 && day.tv_usec < 1000000);

    struct timespec before, after, resolution;
    assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
    assert(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
    assert(after.tv_sec > before.tv_sec ||
           (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
    assert(after.tv_nsec >= 0 && after.tv_nsec < 1000000000);
    assert(clock_gettime(CLOCK_REALTIME, &before) == 0);
    assert(clock_gettime(99, &before) == -1);
    assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && resolution.tv_sec == 0);
    assert(timespec_get(&after, TIME_UTC) == TIME_UTC);
    assert(difftime(10, 4) == 6.0);
    return 0;
}

//@ known: explicit memory,misuse,assertion,data-race,deadlock,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
//@ known: explicit memory-leak unknown(limit)
