//@ property: data-race verdict: safe
// Padding is no part of what a section copies.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static struct {
    char a;
    int b;
} from, to;

static void *writer(void *arg)
{
    ((char *)&from)[1] = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    __VERIFIER_atomic_begin();
    to = from;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
