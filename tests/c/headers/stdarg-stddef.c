//@ property: all verdict: safe
//@ run: gcc
// stdarg.h and stddef.h.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct s { char c; max_align_t m; short tail; };

static size_t total(size_t first, ...) {
    va_list ap;
    va_start(ap, first);
    size_t sum = 0;
    for (size_t n = first; n != 0; n = va_arg(ap, size_t))
        sum += n;
    va_end(ap);
    return sum;
}
static const char *last(const char *first, ...) {
    va_list ap;
    va_start(ap, first);
    const char *it = first, *next;
    while ((next = va_arg(ap, const char *)) != NULL)
        it = next;
    va_end(ap);
    return it;
}

int main(void) {
    printf("%zu\n", total(1, (size_t)2, (size_t)3, (size_t)0));
    printf("%s\n", last("a", "b", "c", NULL));
    printf("%zu %zu %zu\n", offsetof(struct s, m), offsetof(struct s, tail), sizeof(struct s));
    wchar_t w = L'x';
    int a[4];
    ptrdiff_t d = &a[1] - &a[3];
    printf("%d %td %zu\n", (int)w, d, sizeof(max_align_t));
    return 0;
}
