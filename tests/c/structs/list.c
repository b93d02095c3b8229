//@ property: all verdict: safe
//@ run: gcc
// A linked list on the heap: insert sorted, reverse, remove, free.
#include <stdio.h>
#include <stdlib.h>

typedef struct node node;
struct node { int key; node *next; };

static void insert(node **at, int key) {
    while (*at && (*at)->key < key)
        at = &(*at)->next;
    node *n = malloc(sizeof *n);
    *n = (node){key, *at};
    *at = n;
}
static int remove_key(node **at, int key) {
    for (; *at; at = &(*at)->next)
        if ((*at)->key == key) {
            node *dead = *at;
            *at = dead->next;
            free(dead);
            return 1;
        }
    return 0;
}
static node *reverse(node *list) {
    node *done = 0;
    while (list) {
        node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
static void print(const node *n) {
    for (; n; n = n->next)
        printf("%d%s", n->key, n->next ? "->" : "\n");
}

int main(void) {
    node *list = 0;
    int keys[] = {5, 1, 9, 3, 7, 3};
    for (int i = 0; i < 6; i++)
        insert(&list, keys[i]);
    print(list);
    printf("%d %d\n", remove_key(&list, 3), remove_key(&list, 100));
    print(list);
    list = reverse(list);
    print(list);
    remove_key(&list, 9);
    remove_key(&list, 1);
    print(list);
    while (list)
        remove_key(&list, list->key);
    puts(list ? "left" : "empty");
    return 0;
}
