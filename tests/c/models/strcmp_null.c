//@ model: strcmp
//@ property: null-deref verdict: unsafe line: 8
#include <string.h>

int main(int argc, char **argv)
{
    const char *option = argc > 1 ? argv[1] : 0;
    return strcmp(option, "-v");
}
