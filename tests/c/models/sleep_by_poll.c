//@ property: all verdict: safe
//@ run: gcc
//@ model: poll select
// Without files to wait for, these are sleeps.
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>

int main(void) {
    struct timeval time = {0, 10};
    printf("%d\n", poll(NULL, 0, 1));
    printf("%d\n", select(0, NULL, NULL, NULL, &time));
    printf("%ld %ld\n", (long)time.tv_sec, (long)time.tv_usec);
    return 0;
}
