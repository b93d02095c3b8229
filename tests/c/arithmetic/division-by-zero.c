//@ property: division-by-zero verdict: unsafe line: 9
// An average over nothing.
#include <stdio.h>

static int average(const int *v, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n;
}

int main(void) {
    int v[] = {1, 2, 3};
    printf("%d\n", average(v, 3));
    return average(v, 0);
}
