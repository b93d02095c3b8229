// Blocks that only main points to, when exit is called and when it returns.
#include <stdlib.h>

static void use(int **q) {
    *q = malloc(4);
}

int main(int argc, char **argv) {
    int *p;
    use(&p);
    if (argc > 1) exit(1);
    int *k = malloc(3);
    int z = k != 0;
    free(p);
    if (z) exit(3);
    return 0;
}
