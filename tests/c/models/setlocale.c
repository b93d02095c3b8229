//@ model: setlocale
//@ property: all verdict: safe
//@ run: gcc
#include <locale.h>
#include <stdio.h>

int main(void)
{
    puts(setlocale(LC_ALL, NULL));
    puts(setlocale(LC_NUMERIC, "C"));
    puts(setlocale(LC_ALL, "POSIX"));
    printf("%d\n", setlocale(LC_ALL, "no such locale") == NULL);
    printf("%.1f\n", 1.5);
    return 0;
}

//@ known: order all unknown(omission)
//@ known: explicit all unknown(omission)
//@ known: portfolio all unknown(omission)
