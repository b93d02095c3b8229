//@ unsupported: 10 prefer writers
// With this kind a reader waits for a waiting writer; the model has no such locks.
#define _GNU_SOURCE
#include <pthread.h>

int main(void)
{
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    return 0;
}
