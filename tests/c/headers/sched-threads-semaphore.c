//@ property: all verdict: safe
//@ run: gcc
// sched.h, threads.h and semaphore.h: what can be used without a second thread.
#define _GNU_SOURCE
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static thread_local int tls = 4;
static int start(void *arg) { return *(int *)arg + tls; }

int main(void) {
    printf("%d %d\n", SCHED_OTHER, SCHED_FIFO);
    struct sched_param param = {.sched_priority = 3};
    printf("%d\n", param.sched_priority);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    CPU_SET(64, &set);
    CPU_CLR(3, &set);
    printf("%d %d %zu\n", CPU_ISSET(3, &set) != 0, CPU_ISSET(64, &set) != 0, sizeof set);
    printf("%zu %d\n", sizeof(sem_t), SEM_FAILED == 0);
    printf("%d %d %d %d\n", thrd_success, thrd_busy, mtx_plain, mtx_recursive);
    printf("%zu %zu %zu\n", sizeof(mtx_t), sizeof(cnd_t), sizeof once);
    thrd_start_t f = start;
    int x = 5;
    printf("%d %d\n", f(&x), TSS_DTOR_ITERATIONS);
    return 0;
}
