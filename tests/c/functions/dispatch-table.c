//@ property: all verdict: safe
//@ run: gcc
// A small stack machine dispatched through a table of functions.
#include <stdio.h>

enum op { PUSH, ADD, MUL, SWAP, DUP, JNZ, DEC, PRINT, HALT, OPS };
struct vm { int stack[16]; int top; const int *pc; int running; };
typedef void handler(struct vm *);

static void push(struct vm *v) { v->stack[v->top++] = *v->pc++; }
static void add(struct vm *v) { v->top--; v->stack[v->top - 1] += v->stack[v->top]; }
static void mul(struct vm *v) { v->top--; v->stack[v->top - 1] *= v->stack[v->top]; }
static void swap(struct vm *v) {
    int t = v->stack[v->top - 1];
    v->stack[v->top - 1] = v->stack[v->top - 2];
    v->stack[v->top - 2] = t;
}
static void dup(struct vm *v) { v->stack[v->top] = v->stack[v->top - 1]; v->top++; }
static void jnz(struct vm *v) { int off = *v->pc++; if (v->stack[v->top - 1]) v->pc += off; }
static void dec(struct vm *v) { v->stack[v->top - 1]--; }
static void print(struct vm *v) { printf("%d ", v->stack[v->top - 1]); }
static void halt(struct vm *v) { v->running = 0; }

static handler *const handlers[OPS] = {
    [PUSH] = push, [ADD] = add, [MUL] = mul, [SWAP] = swap, [DUP] = dup,
    [JNZ] = jnz, [DEC] = dec, [PRINT] = print, [HALT] = halt,
};

int main(void) {
    /* 6! by repeated multiplication: accumulator below, counter on top. */
    const int code[] = {PUSH, 1, PUSH, 6, PRINT, DUP, PUSH, 0, ADD, SWAP, DEC, JNZ, -8, HALT};
    struct vm vm = {.pc = code, .running = 1};
    int steps = 0;
    while (vm.running && steps++ < 1000)
        handlers[*vm.pc++](&vm);
    printf("| %d %d\n", vm.top, steps);
    int product = 1;
    for (int i = 0; i < vm.top - 1; i++)
        product *= vm.stack[i] ? vm.stack[i] : 1;
    printf("%d\n", product);
    return 0;
}
