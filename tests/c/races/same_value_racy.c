//@ property: data-race verdict: unsafe line: 10
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Both write the same value; it is a race all the same. Line 10 races with itself.
#include <pthread.h>

static int done;

static void *finish(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, finish, 0);
    finish(0);
    pthread_join(thread, 0);
    return done - 1;
}
