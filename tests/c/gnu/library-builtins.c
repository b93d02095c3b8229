//@ property: all verdict: safe
//@ run: gcc
// __builtin_X of library functions and floating constants.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[16];
    __builtin_memset(text, 'x', sizeof text);
    __builtin_strcpy(text, "builtin");
    printf("%zu %d\n", __builtin_strlen(text), __builtin_strcmp(text, "builtins") < 0);
    char copy[16];
    __builtin_memcpy(copy, text, sizeof copy);
    printf("%d %s\n", __builtin_memcmp(copy, text, 8), __builtin_strchr(copy, 'l'));
    __builtin_memmove(copy + 1, copy, 8);
    __builtin_puts(copy);
    int *p = __builtin_malloc(8);
    p[1] = 5;
    __builtin_printf("%d\n", p[1]);
    __builtin_free(p);
    printf("%g %d %d\n", __builtin_inf(), __builtin_isnan(__builtin_nan("")), __builtin_isinf_sign(-__builtin_inf()));
    printf("%d %d\n", __builtin_huge_val() > 1e308, __builtin_signbit(-1.0) != 0);
    printf("%g %g %g\n", __builtin_fabs(-2.5), __builtin_sqrt(16), __builtin_floor(2.5f));
    printf("%d %ld\n", __builtin_abs(-5), __builtin_labs(-6l));
    printf("%d\n", __builtin_isless(1.0, 2.0) + __builtin_isunordered(1.0, __builtin_nan("")));
    return 0;
}
