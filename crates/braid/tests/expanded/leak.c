// Blocks that are lost, or reachable through variables, frames of threads and objects of main.
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

struct node {
    struct node *next;
    int v;
};
static struct node *head;
static atomic_int done;

static struct node *mk(struct node *n, int v) {
    struct node *p = malloc(sizeof *p);
    if (!p) abort();
    p->next = n;
    p->v = v;
    return p;
}

static void drop(void) {
    int *q = malloc(4);
    if (q) *q = 1;
}

static void *t(void *a) {
    head = mk(head, 1);
    done = 1;
    struct node *lost[2];
    lost[0] = mk(0, 2);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t p;
    struct node *mine[1];
    int *s = malloc(8);
    pthread_create(&p, 0, t, 0);
    pthread_join(p, 0);
    mine[0] = mk(0, 3);
    if (done == 1) drop();
    if (!s) exit(2);
    return 0;
}
