//@ property: all verdict: safe
//@ run: gcc
// A union is initialised through its first member or the one named.
#include <stdio.h>

union mixed { char c; int i; char text[8]; struct { short a, b; } s; };
static union mixed globals[] = {{'x'}, {.i = 0x41424344}, {.text = "abc"}, {.s = {1, 2}}, {.s.b = 3}};
static union mixed zero;
struct holder { int before; union mixed m; int after; };
static struct holder holders[] = {{1, {2}, 3}, {4, .m.i = 5, 6}, {.after = 7}};

int main(void) {
    printf("%c %.4s %s %d %d %d\n", globals[0].c, globals[1].text, globals[2].text, globals[3].s.a, globals[3].s.b, globals[4].s.b);
    printf("%d %d\n", zero.i, globals[4].s.a);
    for (int i = 0; i < 3; i++)
        printf("%d %d %d\n", holders[i].before, holders[i].m.i, holders[i].after);
    union mixed local = {.text = {'h', 'i'}};
    printf("%s %d\n", local.text, local.text[7]);
    local = (union mixed){.s = {.b = 258}};
    printf("%d %d\n", local.text[2], local.text[3]);
    union mixed *p = &globals[2];
    p->s = (typeof(p->s)){0x6948, 0};
    printf("%s\n", p->text);
    return 0;
}
