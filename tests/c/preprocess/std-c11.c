//@ property: all verdict: safe
//@ flags: -std=c11
//@ run: gcc
// -std=c11 is passed on: no GNU keywords without underscores, no unix macro.
#include <stdio.h>

int main(void) {
#ifdef unix
    puts("gnu");
#else
    puts("iso");
#endif
    int asm_ = 1, typeof_ = 2;
    printf("%ld %d\n", __STDC_VERSION__, asm_ + typeof_);
    __typeof__(asm_) x = 5;
    printf("%d\n", x);
    return 0;
}
