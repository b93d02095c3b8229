//@ unsupported: 10 futex operation
//@ model: __braid_futex_operation
// Moving waiters to another word is left out.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    int a = 0, b = 0;
    return (int)syscall(SYS_futex, &a, FUTEX_REQUEUE, 1, 1, &b, 0);
}
