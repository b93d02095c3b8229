//@ property: data-race verdict: unsafe line: 13
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two bit-fields in the same run, one of them only read. Lines 13 and 21 race.
#include <pthread.h>

static struct {
    unsigned char flag : 1;
    unsigned char other : 1;
} s;

static void *set(void *unused)
{
    s.flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int seen = s.other;
    pthread_join(thread, 0);
    return seen;
}
