//@ property: all verdict: safe
//@ run: gcc
// A binary search tree with recursive insertion, traversal by function pointer and removal.
#include <stdio.h>
#include <stdlib.h>

struct tree { struct tree *kids[2]; int key; unsigned count; };

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    }
    if (key != t->key)
        t->kids[key > t->key] = insert(t->kids[key > t->key], key);
    else
        t->count++;
    return t;
}
static void walk(const struct tree *t, int depth, void (*visit)(const struct tree *, int, void *), void *data) {
    if (!t)
        return;
    walk(t->kids[0], depth + 1, visit, data);
    visit(t, depth, data);
    walk(t->kids[1], depth + 1, visit, data);
}
static void show(const struct tree *t, int depth, void *data) {
    printf("%d:%u@%d ", t->key, t->count, depth);
    *(long *)data += t->key * (long)t->count;
}
static struct tree *drop(struct tree *t) {
    if (t) {
        drop(t->kids[0]);
        drop(t->kids[1]);
        free(t);
    }
    return NULL;
}

int main(void) {
    struct tree *root = NULL;
    unsigned seed = 1;
    for (int i = 0; i < 20; i++) {
        seed = seed * 1103515245 + 12345;
        root = insert(root, (int)(seed >> 16 & 15) - 8);
    }
    long sum = 0;
    walk(root, 0, show, &sum);
    printf("\n%ld\n", sum);
    root = drop(root);
    return root != NULL;
}
