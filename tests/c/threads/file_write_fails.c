//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 13
//@ flags: --calls-may-fail
// The disk may be full.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int fd = open("data.txt", O_WRONLY);
    if (fd < 0)
        return 1;
    assert(write(fd, "text", 4) == 4);
    return close(fd);
}
