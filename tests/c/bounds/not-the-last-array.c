//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 14
// An array behind a pointer that is not the last member.
#include <stdlib.h>

struct message { char head[2]; char body[2]; };

int main(void) {
    struct message *m = calloc(1, sizeof *m);
    if (!m)
        return 0;
    int i = 2;
    m->body[i - 1] = 1;
    m->head[i] = 1;
    free(m);
    return 0;
}
