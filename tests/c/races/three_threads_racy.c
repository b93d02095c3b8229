//@ property: data-race verdict: unsafe line: 13
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The second and the last of three both use the data. Line 13 races with itself.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;
static int data;

static void *arrive(void *unused)
{
    if (atomic_fetch_add(&arrived, 1) >= 1)
        data++;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, arrive, 0);
    pthread_create(&two, 0, arrive, 0);
    arrive(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
