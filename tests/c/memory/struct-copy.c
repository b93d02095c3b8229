//@ property: out-of-bounds verdict: unsafe line: 10
// Copying a struct through a pointer to a block that is too small.
#include <stdlib.h>

struct record { char name[16]; int id; };

int main(void) {
    struct record r = {"name", 7};
    struct record *p = malloc(sizeof(r.name));
    *p = r;
    free(p);
    return 0;
}
