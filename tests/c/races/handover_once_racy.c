//@ property: data-race verdict: unsafe line: 11
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// What the routine makes is read by a thread that has not called it yet. Lines 11 and 24 race.
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int data;

static void make(void)
{
    data = 42;
}

static void *use(void *unused)
{
    pthread_once(&control, make);
    return data == 42 ? unused : &data;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    int seen = data;
    pthread_once(&control, make);
    pthread_join(thread, 0);
    return seen != 42 && seen != 0;
}
