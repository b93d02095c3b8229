//@ property: all verdict: safe
//@ run: gcc
// Small atomic structs: loaded, stored and exchanged whole.
#include <stdatomic.h>
#include <stdio.h>

typedef struct { short x, y; } point;
typedef struct { unsigned version, index; } tagged;

int main(void) {
    _Atomic point p = (point){1, 2};
    point q = atomic_load(&p);
    q.x += 10;
    atomic_store(&p, q);
    point r = p;
    printf("%d %d\n", r.x, r.y);
    p = (point){5, 6};
    r = atomic_exchange(&p, ((point){7, 8}));
    printf("%d %d\n", r.x, r.y);
    _Atomic tagged head = (tagged){1, 100};
    tagged old = atomic_load(&head);
    for (int i = 0; i < 3; i++) {
        tagged next;
        do
            next = (tagged){old.version + 1, old.index + i};
        while (!atomic_compare_exchange_weak(&head, &old, next));
        old = next;
    }
    tagged now = head;
    printf("%u %u\n", now.version, now.index);
    tagged stale = {0, 0};
    printf("%d ", atomic_compare_exchange_strong(&head, &stale, now));
    printf("%u %u\n", stale.version, stale.index);
    return 0;
}

//@ known: order all unknown(loop-bound)
