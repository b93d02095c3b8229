//@ unsupported: 8 system call
//@ model: __braid_system_call
// The table of system calls is long; this is none of those that have a model.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    return (int)syscall(SYS_getuid);
}
