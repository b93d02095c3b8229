//@ property: signed-overflow verdict: unsafe line: 8
// int + int, in the last iteration only.
#include <limits.h>

int main(void) {
    int total = INT_MAX - 10;
    for (int i = 0; i < 6; i++)
        total = total + i;
    return 0;
}
