//@ property: all verdict: safe
//@ run: gcc
// From a member back to its record; intrusive lists.
#include <stddef.h>
#include <stdio.h>

#define container_of(ptr, type, member) ({ \
    const typeof(((type *)0)->member) *mptr_ = (ptr); \
    (type *)((char *)mptr_ - offsetof(type, member)); })

struct link { struct link *next, *prev; };
struct job { int id; struct link by_age; char name[8]; struct link by_id; };

static void add(struct link *head, struct link *l) {
    l->next = head;
    l->prev = head->prev;
    head->prev->next = l;
    head->prev = l;
}
static void unlink_node(struct link *l) {
    l->prev->next = l->next;
    l->next->prev = l->prev;
}

int main(void) {
    struct link age = {&age, &age}, ids = {&ids, &ids};
    struct job jobs[3] = {{1, .name = "one"}, {2, .name = "two"}, {3, .name = "three"}};
    for (int i = 0; i < 3; i++) {
        add(&age, &jobs[i].by_age);
        add(&ids, &jobs[2 - i].by_id);
    }
    for (struct link *l = age.next; l != &age; l = l->next)
        printf("%s ", container_of(l, struct job, by_age)->name);
    for (struct link *l = ids.next; l != &ids; l = l->next)
        printf("%d ", container_of(l, struct job, by_id)->id);
    puts("");
    unlink_node(&jobs[1].by_age);
    for (struct link *l = age.prev; l != &age; l = l->prev)
        printf("%s ", container_of(l, struct job, by_age)->name);
    puts("");
    return 0;
}
