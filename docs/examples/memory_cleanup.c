// A block that is still reachable at the end. FIXED: it is freed.
#include <stdlib.h>

static int *table;

int main(void)
{
    table = calloc(16, sizeof *table);
#ifdef FIXED
    free(table);
#endif
    return 0;
}
