//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Assigning the whole writes every member. Lines 14 and 23 race.
#include <pthread.h>

struct pair {
    int left, right;
};

static struct pair shared;

static void *set_left(void *unused)
{
    shared.left = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct pair own = {2, 3};
    pthread_create(&thread, 0, set_left, 0);
    shared = own;
    pthread_join(thread, 0);
    return 0;
}
