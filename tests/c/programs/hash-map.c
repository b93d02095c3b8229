//@ property: all verdict: safe
//@ run: gcc
// An open-addressing hash map with generic keys through callbacks, growing and deleting.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *key; int value; enum { EMPTY, USED, DELETED } state; } slot;
typedef struct { slot *slots; size_t cap, used; } map;

static size_t hash(const char *s) {
    size_t h = 14695981039346656037u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h;
}
static slot *find(map *m, const char *key) {
    slot *grave = NULL;
    for (size_t i = hash(key);; i++) {
        slot *s = &m->slots[i & (m->cap - 1)];
        if (s->state == EMPTY)
            return grave ? grave : s;
        if (s->state == DELETED)
            grave = grave ?: s;
        else if (!strcmp(s->key, key))
            return s;
    }
}
static void put(map *m, const char *key, int value) {
    if ((m->used + 1) * 2 > m->cap) {
        map bigger = {calloc(m->cap * 2, sizeof(slot)), m->cap * 2, 0};
        for (size_t i = 0; i < m->cap; i++)
            if (m->slots[i].state == USED) {
                *find(&bigger, m->slots[i].key) = m->slots[i];
                bigger.used++;
            }
        free(m->slots);
        *m = bigger;
    }
    slot *s = find(m, key);
    if (s->state != USED) {
        *s = (slot){strdup(key), 0, USED};
        m->used++;
    }
    s->value = value;
}
static int drop(map *m, const char *key) {
    slot *s = find(m, key);
    if (s->state != USED)
        return 0;
    free(s->key);
    s->state = DELETED;
    m->used--;
    return 1;
}

int main(void) {
    map m = {calloc(4, sizeof(slot)), 4, 0};
    char key[16];
    for (int i = 0; i < 50; i++) {
        snprintf(key, sizeof key, "key%d", i * 7 % 50);
        put(&m, key, i);
    }
    for (int i = 0; i < 50; i += 3) {
        snprintf(key, sizeof key, "key%d", i);
        drop(&m, key);
    }
    put(&m, "key3", 1000);
    long sum = 0;
    for (size_t i = 0; i < m.cap; i++)
        if (m.slots[i].state == USED)
            sum += m.slots[i].value;
    printf("%zu %zu %ld %d %d\n", m.used, m.cap, sum, find(&m, "key3")->value, find(&m, "key6")->state == USED);
    for (size_t i = 0; i < m.cap; i++)
        if (m.slots[i].state == USED)
            free(m.slots[i].key);
    free(m.slots);
    return 0;
}
