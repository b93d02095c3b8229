//@ property: signed-overflow verdict: unsafe line: 6
// ++ on an int at its maximum, through a pointer.
#include <limits.h>

static void bump(int *counter) {
    ++*counter;
}

int main(void) {
    int c = INT_MAX - 1;
    bump(&c);
    bump(&c);
    return 0;
}
