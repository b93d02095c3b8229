//@ property: all verdict: safe
//@ run: gcc
// Pointers through integers and back; tags in the low bits; offsets by integer arithmetic.
#include <stdint.h>
#include <stdio.h>

struct node { int value; struct node *next; };

static uintptr_t tag(struct node *n, unsigned bits) { return (uintptr_t)n | bits; }
static struct node *untag(uintptr_t t) { return (struct node *)(t & ~(uintptr_t)3); }

int main(void) {
    int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uintptr_t base = (uintptr_t)a;
    int *third = (int *)(base + 3 * sizeof(int));
    printf("%d %d\n", *third, third == &a[3]);
    printf("%lu\n", (uintptr_t)&a[7] - (uintptr_t)&a[2]);
    printf("%d\n", base % _Alignof(int) == 0);
    struct node second = {20, 0}, first = {10, &second};
    uintptr_t tagged = tag(&first, 2);
    printf("%d %d %d\n", (int)(tagged & 3), untag(tagged)->value, untag(tagged)->next->value);
    long as_long = (long)&second;
    ((struct node *)as_long)->value++;
    printf("%d\n", first.next->value);
    void *none = (void *)0;
    printf("%d %d\n", (intptr_t)none == 0, (uintptr_t)&first != 0);
    void *marker = (void *)-1;
    printf("%d %ld\n", marker == (void *)-1L, (long)marker);
    int small = (int)(intptr_t)(void *)(intptr_t)42;
    printf("%d\n", small);
    uintptr_t xored = (uintptr_t)&first ^ (uintptr_t)&second;
    struct node *back = (struct node *)(xored ^ (uintptr_t)&first);
    printf("%d\n", back == &second);
    printf("%d\n", back->value);
    return 0;
}

//@ known: order all unknown(addresses)
//@ known: explicit all unknown(addresses)
//@ known: portfolio all unknown(addresses)
