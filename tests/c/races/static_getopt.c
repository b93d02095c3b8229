//@ property: data-race verdict: unsafe
//@ model: getopt
// getopt keeps where it stands in variables for all threads.
#include <pthread.h>
#include <unistd.h>

static char *mine[] = {"a", "-x", 0}, *yours[] = {"b", "-x", 0};

static void *other(void *unused)
{
    (void)unused;
    getopt(2, yours, "x");
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    getopt(2, mine, "x");
    pthread_join(a, 0);
    return 0;
}

//@ known: order data-race unknown(limit)
