//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: thread-misuse verdict: unsafe line: 28
// A second thread joins the first one, and so does main.
#include <pthread.h>

static pthread_t first;
static int x;

static void *write(void *unused)
{
    x = 1;
    return unused;
}

static void *wait(void *unused)
{
    pthread_join(first, 0);
    x++;
    return unused;
}

int main(void)
{
    pthread_t second;
    pthread_create(&first, 0, write, 0);
    pthread_create(&second, 0, wait, 0);
    pthread_join(second, 0);
    pthread_join(first, 0);
    return x;
}

//@ known: lockset data-race,deadlock unknown(unproved)
