//@ property: all verdict: safe
//@ run: gcc
// Where arrays turn into pointers and where they do not.
#include <stdio.h>

static size_t param(int a[10]) { return sizeof(a); }
static void modify(int a[static 3]) { a[0] = a[1] + a[2]; }
static int first(const int *const a) { return *a; }

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    char text[] = "four";
    printf("%zu %zu %zu\n", sizeof a, sizeof(a + 0), sizeof text);
    printf("%zu %zu\n", sizeof "four", sizeof &a);
    printf("%zu\n", param(a));
    modify(a);
    printf("%d\n", a[0]);
    printf("%d %d %d\n", 2 [a], *(a + 2), (&a[4])[-2]);
    int(*whole)[5] = &a;
    printf("%d %zu\n", (void *)whole == (void *)a, sizeof *whole);
    printf("%td\n", (int *)(&a + 1) - a);
    printf("%d\n", first(a + 3));
    printf("%s\n", _Generic(a, int *: "pointer", default: "other"));
    printf("%s\n", _Generic(&a, int(*)[5]: "pointer to array", default: "other"));
    typeof(a) b;
    printf("%zu\n", sizeof b);
    const char *p = "shared" + 2;
    printf("%s %c\n", p, *"letters");
    printf("%d\n", a == &a[0]);
    printf("%d\n", !a);
    return 0;
}
