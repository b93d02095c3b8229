//@ property: all verdict: safe
//@ run: gcc
// Structs are copied when assigned, passed and returned; the callee's copy is its own.
#include <stdio.h>

struct small { char c; };
struct pair { int a, b; };
struct vec { double x, y, z; };
struct big { int v[40]; char tail; };

static struct small bump(struct small s) { s.c++; return s; }
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static struct vec cross(struct vec a, struct vec b) {
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static struct big fill(struct big b, int from) {
    for (int i = 0; i < 40; i++)
        b.v[i] = from + i;
    b.tail = 'T';
    return b;
}
static int sum(struct big b) {
    int total = 0;
    for (int i = 0; i < 40; i++) {
        total += b.v[i];
        b.v[i] = 0;
    }
    return total;
}
static struct pair fib(int n) {
    if (n == 0)
        return (struct pair){0, 1};
    struct pair p = fib(n - 1);
    return (struct pair){p.b, p.a + p.b};
}

int main(void) {
    struct small s = {'a'};
    printf("%c %c\n", bump(bump(s)).c, s.c);
    struct pair p = {1, 2};
    struct pair q = swap(p);
    printf("%d %d %d %d\n", p.a, p.b, q.a, q.b);
    p = swap(swap(swap(p)));
    printf("%d %d\n", p.a, p.b);
    struct vec v = cross((struct vec){1, 0, 0}, (struct vec){0, 1, 0});
    printf("%g %g %g\n", v.x, v.y, v.z);
    struct big b = fill((struct big){{0}}, 100);
    printf("%d %d %c\n", sum(b), sum(b), b.tail);
    printf("%d\n", fill(b, -5).v[7]);
    printf("%d\n", fib(30).a);
    struct big c = b, d;
    d = c = b;
    c.v[0] = 1;
    printf("%d %d %d\n", b.v[0], c.v[0], d.v[39]);
    fill(b, 0);
    return 0;
}
