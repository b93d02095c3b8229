// A sensor keeps its last readings in a ring. The index wraps one slot too late, so every fifth
// reading is written behind the end of the buffer.
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 4

struct ring {
    int *slots;
    unsigned next;
};

static void append(struct ring *ring, int reading)
{
    ring->slots[ring->next] = reading;
    ring->next++;
    if (ring->next > SLOTS) // must be >=
        ring->next = 0;
}

int main(void)
{
    struct ring ring = { .slots = malloc(SLOTS * sizeof(int)) };
    for (int i = 1; i <= 6; i++) {
        append(&ring, i * 100);
        printf("reading %d stored, next slot is %u\n", i, ring.next);
    }
    free(ring.slots);
    return 0;
}
