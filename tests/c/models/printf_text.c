//@ model: printf
//@ property: all verdict: safe
//@ run: gcc
#include <errno.h>
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    const char *volatile nothing = NULL;
    int count = 0;
    long long_count = 0;
    printf("[%s][%10s][%-10s][%.2s][%10.2s]\n", "text", "text", "text", "text", "text");
    printf("[%s][%8s][%.3s]\n", nothing, nothing, nothing);
    printf("[%p][%10p]\n", (void *)0, (void *)0);
    printf("[%p][%#lx]\n", (void *)0x1234, 0x1234ul);
    printf("abc%ndef%ln\n", &count, &long_count);
    printf("%d %ld\n", count, long_count);
    printf("%ls %lc [%.2ls]\n", L"wide", (wint_t)'w', L"wide");
    errno = ENOENT;
    printf("%m\n");
    printf("%2$s %1$d %2$s %3$*1$d\n", 5, "twice", 42);
    printf("%d\n", printf("twelve chars") + printf("\n"));
    return 0;
}
