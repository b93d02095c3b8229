//@ property: all verdict: safe
//@ property: data-race verdict: unsafe line: 12
//@ bounds: unwind 1 rounds 2 in reverse
// The thread reads a variable that nobody writes before it comes to the race. In an order in which its turn comes before that
// of 'main', which starts it, that read takes the turn of a second round.
#include <pthread.h>

static int x, y;

static void *thread(void *arg) {
    int read = y;
    x = read + 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
