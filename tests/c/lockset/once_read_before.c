//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe
// A thread looks at the table before it has seen to it that it is filled.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[4];

static void fill(void)
{
    for (int i = 0; i < 4; i++)
        table[i] = i;
}

static void *worker(void *unused)
{
    if (table[3] == 3)
        return 0;
    pthread_once(&once, fill);
    return table[3] == 3 ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
