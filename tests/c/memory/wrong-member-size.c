//@ property: out-of-bounds verdict: unsafe line: 9
// memcpy with the size of the wrong type.
#include <string.h>

struct small { char name[8]; };
struct large { char name[16]; };

static void copy(struct small *to, const struct large *from) {
    memcpy(to, from, sizeof *from);
}

int main(void) {
    struct large l = {"name"};
    struct small s;
    copy(&s, &l);
    return s.name[0] == 0;
}
