//@ property: all verdict: safe
//@ model: program_invocation_name program_invocation_short_name in6addr_any in6addr_loopback
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

extern char *__progname;

int main(int argc, char **argv)
{
    assert(argc > 0);
    assert(!strcmp(program_invocation_name, argv[0]));
    assert(strstr(argv[0], program_invocation_short_name));
    assert(!strchr(program_invocation_short_name, '/'));
    assert(__progname == program_invocation_short_name);
    for (int i = 0; i < 16; i++) {
        assert(in6addr_any.s6_addr[i] == 0);
        assert(in6addr_loopback.s6_addr[i] == (i == 15));
    }
    return 0;
}
