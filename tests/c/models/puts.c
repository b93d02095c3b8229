//@ model: puts fputs fputs_unlocked fwrite fwrite_unlocked write
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    const char data[] = "0123456789";
    puts("line");
    puts("");
    int ok = fputs("no newline; ", stdout) >= 0 && fputs_unlocked("unlocked\n", stdout) >= 0 &&
             fputs("to the other stream\n", stderr) >= 0;
    size_t n = fwrite(data, 2, 3, stdout);
    size_t m = fwrite_unlocked(data, 1, 0, stdout);
    printf("\n%d %zu %zu\n", ok, n, m);
    fflush(stdout);
    int written = (int)write(1, "raw\n", 4);
    printf("%d %d %d\n", written, (int)write(2, "error\n", 6), (int)write(1, data, 0));
    return 0;
}
