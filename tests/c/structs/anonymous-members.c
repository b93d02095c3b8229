//@ property: all verdict: safe
//@ run: gcc
// Anonymous structs and unions lend their members to the outer record.
#include <stddef.h>
#include <stdio.h>

struct value {
    enum { INT, REAL, PAIR } kind;
    union {
        int i;
        double d;
        struct { short first, second; };
    };
    char tail;
};

static void print(struct value v) {
    switch (v.kind) {
    case INT: printf("int %d", v.i); break;
    case REAL: printf("real %g", v.d); break;
    case PAIR: printf("pair %d %d", v.first, v.second); break;
    }
    printf(" %c\n", v.tail);
}

int main(void) {
    print((struct value){INT, {42}, 'a'});
    print((struct value){REAL, .d = 2.5, .tail = 'b'});
    print((struct value){.kind = PAIR, .first = 1, .second = -1, .tail = 'c'});
    struct value v = {.kind = INT, .i = 0x00020001, 'd'};
    print(v);
    v.kind = PAIR;
    print(v);
    struct value *p = &v;
    p->second = 9;
    printf("%#x\n", p->i);
    printf("%zu %zu %zu\n", offsetof(struct value, i), offsetof(struct value, second), offsetof(struct value, tail));
    printf("%zu\n", sizeof(struct value));
    return 0;
}
