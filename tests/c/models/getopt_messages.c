//@ run: gcc
//@ model: getopt __posix_getopt
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char *wrong[] = {"prog", "-xa", "-b", 0};
    int c;
    while ((c = getopt(3, wrong, "ab:")) != -1)
        printf("%c %c\n", c, optopt);
    return 0;
}
