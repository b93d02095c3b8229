//@ unsupported: 10 reading from a file
//@ model: __braid_reads_file
// What is in a file is not known.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("data.txt", "r");
    if (!f)
        f = fopen("data.txt", "r");
    return f ? fgetc(f) : 0;
}
