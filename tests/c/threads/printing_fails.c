//@ property: assertion verdict: unsafe line: 17
//@ property: data-race,deadlock,memory verdict: safe
//@ flags: --calls-may-fail
//@ model: __braid_printed __braid_printed_to
// What is printed may not arrive, and the program relies on it.
#include <assert.h>
#include <stdio.h>

static int lines;

static void line(const char *text) {
    if (puts(text) != EOF) lines++;
}

int main(void) {
    line("a");
    assert(lines == 1);
    return 0;
}
