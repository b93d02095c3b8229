//@ property: all verdict: safe
//@ flags: -DLEVEL=3 -DNAME=text -DFLAG -UABSENT
//@ run: gcc
// Macros from the command line.
#include <stdio.h>

#define STR_(x) #x
#define STR(x) STR_(x)
#ifdef ABSENT
#error "ABSENT must not be defined"
#endif

int main(void) {
    printf("%d %s %d\n", LEVEL * 2, STR(NAME), FLAG);
#if LEVEL > 2
    puts("deep");
#else
    puts("flat");
#endif
    return 0;
}
