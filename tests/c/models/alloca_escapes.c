//@ model: alloca
//@ property: use-after-free verdict: unsafe line: 15
#include <alloca.h>

static int *make(void)
{
    int *p = alloca(sizeof *p);
    *p = 1;
    return p;
}

int main(void)
{
    int *p = make();
    return *p;
}
