//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 54
//@ bounds: unwind 1 rounds 2
// A sender and a receiver take turns at a circular queue, and flags under a mutex say whose turn it is. The receiver
// compares what it gets with what was sent, but counts its attempts instead of the values. queue in table 1 of Inverso
// et al. (CAV 2014), there with unwind 2 and 2 rounds; the loops here have constant counts.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ATTEMPTS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[SIZE], head, tail;
static int sent[ATTEMPTS];
static int may_send = 1, may_receive;

static void put(int value)
{
    queue[tail] = value;
    tail = (tail + 1) % SIZE;
}

static int take(void)
{
    int value = queue[head];
    head = (head + 1) % SIZE;
    return value;
}

static void *send(void *arg)
{
    int count = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&lock);
        if (may_send) {
            sent[count] = 10 + count;
            put(sent[count]);
            count++;
            may_send = 0;
            may_receive = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *receive(void *arg)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&lock);
        if (may_receive) {
            int value = take();
            assert(value == sent[i]);
            may_receive = 0;
            may_send = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t sender, receiver;
    pthread_create(&sender, 0, send, 0);
    pthread_create(&receiver, 0, receive, 0);
    pthread_join(sender, 0);
    pthread_join(receiver, 0);
    return 0;
}
