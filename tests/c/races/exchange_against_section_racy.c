//@ property: data-race verdict: unsafe line: 23
// The section is entered while an exchange is about to succeed: a plain read inside races with its write. Lines 14 and
// 23 race.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int a, seen;

static void *work(void *unused)
{
    __VERIFIER_atomic_begin();
    seen = a;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __sync_bool_compare_and_swap(&a, 0, 1);
    pthread_join(thread, 0);
    return 0;
}
