//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 2
// queue.c repaired: the receiver counts the values that it gets.
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
    int count = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&lock);
        if (may_receive) {
            int value = take();
            assert(value == sent[count]);
            count++;
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
