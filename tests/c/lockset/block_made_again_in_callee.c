//@ property: use-after-free verdict: unsafe
// A callee frees a block and makes another one at the same call, while its caller still has a pointer to the first.
#include <stdlib.h>

static int *make(void)
{
    return malloc(sizeof(int));
}

static void drop(int **place)
{
    free(*place);
    *place = 0;
}

static int *step(int **place)
{
    if (*place)
        drop(place);
    return make();
}

int main(void)
{
    int *last = 0, *first = 0;
    for (int i = 0; i < 2; i++) {
        int *made = step(&last);
        if (i == 0) {
            first = made;
            last = made;
        }
    }
    if (first)
        *first = 1;
    return 0;
}
