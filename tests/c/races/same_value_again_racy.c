//@ property: data-race verdict: unsafe line: 17
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Writes the value that is there already. Lines 10 and 17 race.
#include <pthread.h>

static int mode = 1;

static void *look(void *unused)
{
    return mode == 1 ? unused : &mode;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    mode = 1;
    pthread_join(thread, 0);
    return 0;
}
