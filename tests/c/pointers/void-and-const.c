//@ property: all verdict: safe
//@ run: gcc
// void pointers as generic ones; qualifiers in the places that matter.
#include <stdio.h>
#include <string.h>

static void swap_bytes(void *a, void *b, size_t n) {
    char tmp[n];
    memcpy(tmp, a, n);
    memcpy(a, b, n);
    memcpy(b, tmp, n);
}
static const void *largest(const void *base, size_t n, size_t size, int (*less)(const void *, const void *)) {
    const char *best = base;
    for (size_t i = 1; i < n; i++) {
        const void *it = (const char *)base + i * size;
        if (less(best, it))
            best = it;
    }
    return best;
}
static int less_int(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
static int less_str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b) < 0; }

int main(void) {
    int x = 1, y = 2;
    swap_bytes(&x, &y, sizeof x);
    printf("%d %d\n", x, y);
    double d[2] = {1.5, -2.5};
    swap_bytes(d, d + 1, sizeof *d);
    printf("%g %g\n", d[0], d[1]);
    int numbers[] = {3, 9, -4, 9, 1};
    const char *names[] = {"kiwi", "pear", "apple"};
    const int *n = largest(numbers, 5, sizeof *numbers, less_int);
    printf("%d at %td\n", *n, n - numbers);
    printf("%s\n", *(const char **)largest(names, 3, sizeof *names, less_str));
    char text[] = "mutable";
    const char *view = text;
    char *const fixed = text;
    *fixed = 'M';
    printf("%s\n", view++);
    void *null = 0;
    printf("%d %d\n", null == 0, view != null);
    return 0;
}
