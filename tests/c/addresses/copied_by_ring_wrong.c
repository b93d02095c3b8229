//@ property: assertion verdict: unsafe line: 65
//@ property: data-race,deadlock,memory verdict: safe
// The first pointer that comes out is not the second one that went in.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    size_t size, capacity, head, tail;
    char *data;
    pthread_mutex_t lock;
};

static struct ring *new_ring(size_t size, size_t capacity)
{
    struct ring *ring = malloc(sizeof *ring);
    ring->size = size;
    ring->capacity = capacity;
    ring->head = ring->tail = 0;
    ring->data = malloc(size * capacity);
    pthread_mutex_init(&ring->lock, 0);
    return ring;
}

static void put(struct ring *ring, const void *item)
{
    pthread_mutex_lock(&ring->lock);
    if (ring->head - ring->tail < ring->capacity)
        memcpy(ring->data + ring->head++ % ring->capacity * ring->size, item, ring->size);
    pthread_mutex_unlock(&ring->lock);
}

static int get(struct ring *ring, void *item)
{
    int found = 0;
    pthread_mutex_lock(&ring->lock);
    if (ring->head != ring->tail) {
        memcpy(item, ring->data + ring->tail++ % ring->capacity * ring->size, ring->size);
        found = 1;
    }
    pthread_mutex_unlock(&ring->lock);
    return found;
}

static int items[2];

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        int *item = &items[i];
        put(arg, &item);
    }
    return 0;
}

int main(void)
{
    struct ring *ring = new_ring(sizeof(int *), 2);
    pthread_t thread;
    pthread_create(&thread, 0, producer, ring);
    int *item = 0;
    if (get(ring, &item)) {
        assert(item != 0);
        assert(item == &items[1]);
        *item = 1;
    }
    pthread_join(thread, 0);
    free(ring->data);
    free(ring);
    return 0;
}
