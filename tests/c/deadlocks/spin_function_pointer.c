//@ property: deadlock verdict: safe
// The loop ends when the function behind a shared pointer says so.
#include <pthread.h>
#include <stdatomic.h>

static int no(void) { return 0; }
static int yes(void) { return 1; }
static int (*_Atomic is_done)(void) = no;

static void *wait(void *arg)
{
    while (!is_done())
        ;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    if (argc < 9)
        is_done = yes;
    pthread_join(thread, 0);
    return 0;
}
