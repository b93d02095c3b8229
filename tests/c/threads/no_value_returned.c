//@ property: out-of-bounds verdict: unsafe line: 18
// The value of a call whose function returns none is indeterminate, each time anew.
#include <pthread.h>

static int none(int i)
{
    if (i)
        i++;
}

static void *work(void *unused)
{
    int a[3] = {1, 3};
    if (none(1) != 1)
        return unused;
    if (none(0) == 1)
        return unused;
    a[none(0) == -1 ? 3 : 0] = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
