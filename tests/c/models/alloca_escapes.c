//@ model: alloca
//@ property: use-after-free verdict: unsafe line: 16
#include <alloca.h>
#undef alloca

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
