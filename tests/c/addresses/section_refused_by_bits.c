//@ unsupported: 14 control depends on addresses
// Whether a section is entered depends on bits of an address.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int before[5], object;
static long shared;

static void *work(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume((shared & 0xff8) != 0);
    __VERIFIER_atomic_end();
    before[0] = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    before[0] = 1;
    shared = (long)&object;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    shared = 0;
    return 0;
}
