//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A table that main fills before the first thread starts, and that nobody writes to after that.
#include <pthread.h>

static int table[4];

static void *worker(void *unused)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += table[i];
    return sum ? unused : 0;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 4; i++)
        table[i] = i;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
