//@ property: data-race verdict: unsafe line: 12
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The last round of each thread goes one element too far. Line 12 races with itself.
#include <pthread.h>

static int cell[5];

static void *work(void *argument)
{
    int own = (int)(long)argument;
    for (int k = 2 * own; k <= 2 * own + 2; k++)
        cell[k] = own;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1);
    work((void *)0);
    pthread_join(thread, 0);
    return 0;
}
