//@ property: all verdict: safe
//@ run: gcc
// Each thread assigns the member that is its own.
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
    shared.right = own.right;
    pthread_join(thread, 0);
    return 0;
}
