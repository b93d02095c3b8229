// aba.c repaired: the top carries a version that every change advances, so an A that went away and came
// back is another A.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B };

// The node in the low byte, the version above it.
static atomic_int top = A;
static atomic_int next[3] = { [A] = B, [B] = NONE };
static atomic_int in_use[3];

static int node_of(int top)
{
    return top & 0xff;
}

static int changed(int top, int node)
{
    return (top & ~0xff) + 0x100 + node;
}

static int pop(void)
{
    int seen = top;
    while (node_of(seen) != NONE) {
        int node = node_of(seen);
        if (atomic_compare_exchange_strong(&top, &seen, changed(seen, next[node]))) {
            assert(atomic_exchange(&in_use[node], 1) == 0);
            return node;
        }
    }
    return NONE;
}

static void push(int node)
{
    in_use[node] = 0;
    int seen = top;
    do
        next[node] = node_of(seen);
    while (!atomic_compare_exchange_strong(&top, &seen, changed(seen, node)));
}

static void *user(void *unused)
{
    (void)unused;
    pop();
    pop();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    int first = pop();
    pop();
    if (first != NONE)
        push(first);
    pthread_join(thread, 0);
    return 0;
}
