//@ property: null-deref verdict: unsafe line: 22
//@ property: data-race verdict: unsafe
// Two threads follow a pointer of a shared block, which one of them may not have set; and they race.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int *first, *second;
};

static int x, y, flag;
static struct node *shared;
extern _Bool __VERIFIER_nondet_bool(void);

static void *work(void *unused)
{
    if (flag)
        shared->second = &y;
    if (flag == 2)
        shared->second = &x;
    else
        *shared->second = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    flag = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();
    shared = malloc(sizeof *shared);
    shared->first = &x;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    x = 2;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
