//@ unsupported: 14 use of a closed stream
//@ model: __braid_closed_stream
// Another file is opened meanwhile; the stream that was closed is another one.
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a.txt", "w");
    if (!a)
        return 1;
    fclose(a);
    FILE *b = fopen("b.txt", "w");
    if (!b)
        return 1;
    fputs("text", a);
    return 0;
}
