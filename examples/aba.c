// A lock-free stack of buffers, which are never freed but recycled by pushing them back. While one thread
// is about to replace the top A by its successor B, another takes A and B and puts A back: the first
// still finds A on top, succeeds, and makes B, which is in use, the top.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B };

static atomic_int top = A;
static atomic_int next[3] = { [A] = B, [B] = NONE };
static atomic_int in_use[3];

static int pop(void)
{
    int node = top;
    while (node != NONE) {
        int after = next[node];
        if (atomic_compare_exchange_strong(&top, &node, after)) {
            assert(atomic_exchange(&in_use[node], 1) == 0);
            return node;
        }
    }
    return NONE;
}

static void push(int node)
{
    in_use[node] = 0;
    int old = top;
    do
        next[node] = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
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
