//@ property: assertion verdict: unsafe line: 13
//@ property: deadlock,lock-misuse,memory verdict: safe
// reach_error with a harmless body, reached in one interleaving only.
#include <pthread.h>

void reach_error(void) {}

static int x;

static void *look(void *arg) {
    int a = x, b = x;
    if (a == 0 && b == 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
