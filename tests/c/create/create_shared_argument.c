//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 11
// Every thread gets the address of the loop counter, and reads it when it pleases.
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *mark(void *arg) {
    int i = *(int *)arg;
    assert(i == 0 || i == 1);
    seen[i] = 1;
    return 0;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, mark, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], 0);
    return 0;
}
