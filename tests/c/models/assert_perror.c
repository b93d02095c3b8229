//@ model: __assert_perror_fail
//@ property: assertion verdict: unsafe line: 12
//@ property: memory verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>

int main(void)
{
    volatile int error = 0;
    assert_perror(error);
    assert_perror(ENOENT);
    return 0;
}
