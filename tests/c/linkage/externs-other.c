//@ part
#include "externs.h"

int only_in_block = 77;
const char *names[] = {"zero", "one", "two"};
const int name_count = sizeof names / sizeof *names;
struct opaque { int value; };
int (*callback)(const opaque *);

opaque *opaque_new(int v) {
    static opaque one;
    one.value = v;
    return &one;
}
void opaque_add(opaque *o, int v) { o->value += v; }
int opaque_get(const opaque *o) { return o->value; }
int call_back(const opaque *o) { return callback(o) * 2; }
double scale(double x) { return x * 1.5; }
