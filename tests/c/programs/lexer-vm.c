//@ property: all verdict: safe
//@ run: gcc
// A brainf interpreter with a precomputed jump table, running "Hello World!".
#include <stdio.h>
#include <string.h>

static const char program[] =
    "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.";

int main(void) {
    unsigned char tape[32] = {0}, *p = tape;
    unsigned short jump[sizeof program], stack[16];
    int depth = 0, steps = 0;
    memset(jump, 0xff, sizeof jump);
    for (unsigned i = 0; i < sizeof program - 1; i++)
        if (program[i] == '[')
            stack[depth++] = i;
        else if (program[i] == ']') {
            unsigned open = stack[--depth];
            jump[open] = i;
            jump[i] = open;
        }
    for (const char *pc = program; *pc; pc++, steps++)
        switch (*pc) {
        case '>': ++p; break;
        case '<': --p; break;
        case '+': ++*p; break;
        case '-': --*p; break;
        case '.': putchar(*p); break;
        case '[': if (!*p) pc = program + jump[pc - program]; break;
        case ']': if (*p) pc = program + jump[pc - program]; break;
        }
    printf("%d\n", steps);
    return 0;
}
