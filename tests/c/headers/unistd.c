//@ property: all verdict: safe
//@ run: gcc
// unistd.h: write to the standard descriptors, its types and constants.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    const char *text = "written\n";
    ssize_t n = write(STDOUT_FILENO, text, strlen(text));
    printf("%zd\n", n);
    printf("%d %d %d\n", STDIN_FILENO, STDERR_FILENO, SEEK_END);
    printf("%zu %zu\n", sizeof(off_t), sizeof(pid_t));
    return 0;
}
