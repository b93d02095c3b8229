//@ property: all verdict: safe
// With a time limit nobody sleeps for ever.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    int word = 1;
    struct timespec time = {0, 1000}, wrong = {0, -1};
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, 0) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &wrong, NULL, 0) == -1 && errno == EINVAL);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &time, NULL, 0) == -1 && errno == ETIMEDOUT);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 1, &time, NULL, FUTEX_BITSET_MATCH_ANY) == -1);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0);
    return 0;
}
