//@ property: all verdict: safe
//@ model: sysconf getpagesize getrlimit setrlimit prctl __braid_value_bool __braid_value_wide
// Questions to the system: what every machine answers alike, and what is only known to be in range.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
    assert(getpagesize() == 4096 && sysconf(_SC_PAGESIZE) == 4096);
    assert(sysconf(_SC_CLK_TCK) == 100);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    assert(processors >= 1 && processors <= 8192);
    assert(sysconf(_SC_OPEN_MAX) >= -1);
    errno = 0;
    assert(sysconf(-5) == -1 && errno == EINVAL);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        assert(limit.rlim_cur <= limit.rlim_max);
    assert(getrlimit((enum __rlimit_resource)99, &limit) == -1);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        assert(errno == EPERM);
    char name[16];
    assert(prctl(PR_SET_NAME, "a worker with a long name") == 0);
    assert(prctl(PR_GET_NAME, name) == 0);
    assert(strcmp(name, "a worker with a") == 0);
    return 0;
}

//@ known: explicit all unknown(cut)
