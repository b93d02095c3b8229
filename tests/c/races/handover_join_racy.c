//@ property: data-race verdict: unsafe line: 10
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Joins the wrong one of two threads before it uses the data. Lines 10 and 26 race.
#include <pthread.h>

static int data, other;

static void *write_data(void *unused)
{
    data = 1;
    return unused;
}

static void *write_other(void *unused)
{
    other = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, write_data, 0);
    pthread_create(&two, 0, write_other, 0);
    pthread_join(two, 0);
    data++;
    pthread_join(one, 0);
    other++;
    return 0;
}
