//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 21
// A table that main goes on filling when it has started the first thread.
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
    pthread_create(&t, 0, worker, 0);
    for (int i = 0; i < 4; i++)
        table[i] = i;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
