// A position is written as a whole and read as a whole, says the source. The machine copies it member by
// member, and the reader can come in between.
#include <assert.h>
#include <pthread.h>

struct position {
    int x, y;
};

static struct position position;

static void *move(void *unused)
{
    (void)unused;
    struct position there = { 7, 7 };
    position = there;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, move, 0);
    struct position seen = position;
    assert(seen.x == seen.y);
    pthread_join(thread, 0);
    return 0;
}
