//@ property: all verdict: safe
//@ property: null-deref verdict: unsafe line: 7
// Nobody looks whether the file could be opened.
#include <stdio.h>
int main(void) {
    FILE *f = fopen("data.txt", "w");
    fputs("text", f);
    fclose(f);
    return 0;
}
