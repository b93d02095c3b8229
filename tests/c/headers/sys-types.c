//@ property: all verdict: safe
//@ run: gcc
// sys/types.h: widths and signedness of the POSIX types.
#include <stdio.h>
#include <sys/types.h>

#define SHOW(t) printf("%s %zu %s\n", #t, sizeof(t), (t)-1 < 0 ? "signed" : "unsigned")

int main(void) {
    SHOW(size_t);
    SHOW(ssize_t);
    SHOW(off_t);
    SHOW(pid_t);
    SHOW(uid_t);
    SHOW(mode_t);
    SHOW(time_t);
    SHOW(ino_t);
    SHOW(int8_t);
    SHOW(u_int32_t);
    SHOW(suseconds_t);
    SHOW(blksize_t);
    return 0;
}
