// main calls itself: only its first activation has objects that outlive it.
#include <assert.h>

static int n;
static int *p;

int main(int argc, char **argv) {
    int local = n;
    if (n++ == 0) {
        main(argc, argv);
        return *p;
    }
    p = &local;
    return 0;
}
