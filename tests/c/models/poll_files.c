//@ unsupported: 7 waiting for file descriptors
//@ model: __braid_polls_files
#include <poll.h>

int main(void) {
    struct pollfd fd = {0, POLLIN, 0};
    return poll(&fd, 1, 10);
}
