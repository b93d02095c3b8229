//@ model: __assert_fail
//@ property: assertion verdict: unsafe line: 9
//@ property: memory verdict: safe
#include <assert.h>

int main(int argc, char **argv)
{
    (void)argv;
    assert(argc > 5);
    return 0;
}
