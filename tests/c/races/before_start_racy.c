//@ property: data-race verdict: unsafe line: 19
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Gives the argument away and changes it. Lines 10 and 19 race.
#include <pthread.h>

static int result;

static void *work(void *argument)
{
    result = *(int *)argument;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int value = 1;
    pthread_create(&thread, 0, work, &value);
    value = 2;
    pthread_join(thread, 0);
    return 0;
}
