//@ property: invalid-free verdict: unsafe line: 10
// free of a static object.
#include <stdlib.h>

static int pool[4];
static int *take(int fresh) { return fresh ? malloc(sizeof(int)) : &pool[0]; }

int main(void) {
    free(take(1));
    free(take(0));
    return 0;
}
