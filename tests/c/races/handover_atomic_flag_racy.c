//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The giver touches the data once more after the flag says that it is given away. Lines 14 and 23 race.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int given;

static void *give(void *unused)
{
    data = 1;
    atomic_store(&given, 1);
    data = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, give, 0);
    if (atomic_load(&given))
        data += 3;
    pthread_join(thread, 0);
    return 0;
}
