//@ unsupported: 10 copy of a synchronisation object
// realloc copies.
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    sem_t *s = malloc(sizeof *s);
    sem_init(s, 0, 1);
    s = realloc(s, 2 * sizeof *s);
    sem_wait(s);
    free(s);
    return 0;
}
