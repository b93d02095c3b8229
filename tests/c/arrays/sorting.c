//@ property: all verdict: safe
//@ run: gcc
// Quicksort, heapsort and insertion sort on the same data agree.
#include <stdio.h>
#include <string.h>

enum { N = 64 };

static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void quick(int *lo, int *hi) {
    if (hi - lo < 2)
        return;
    int pivot = lo[(hi - lo) / 2], *i = lo, *j = hi - 1;
    while (i <= j) {
        while (*i < pivot)
            i++;
        while (*j > pivot)
            j--;
        if (i <= j)
            swap(i++, j--);
    }
    quick(lo, j + 1);
    quick(i, hi);
}
static void sift(int a[], int at, int n) {
    for (int kid; (kid = 2 * at + 1) < n; at = kid) {
        if (kid + 1 < n && a[kid + 1] > a[kid])
            kid++;
        if (a[at] >= a[kid])
            return;
        swap(&a[at], &a[kid]);
    }
}
static void heap(int a[], int n) {
    for (int i = n / 2; i--;)
        sift(a, i, n);
    while (n-- > 1) {
        swap(&a[0], &a[n]);
        sift(a, 0, n);
    }
}
static void insertion(int a[], int n) {
    for (int i = 1; i < n; i++) {
        int key = a[i], j = i;
        for (; j > 0 && a[j - 1] > key; j--)
            a[j] = a[j - 1];
        a[j] = key;
    }
}

int main(void) {
    int a[N], b[N], c[N];
    unsigned x = 12345;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        a[i] = b[i] = c[i] = (int)(x >> 20) - 2048;
    }
    quick(a, a + N);
    heap(b, N);
    insertion(c, N);
    printf("%d %d\n", memcmp(a, b, sizeof a), memcmp(b, c, sizeof b));
    for (int i = 0; i < N; i += 9)
        printf("%d ", a[i]);
    puts("");
    return 0;
}
