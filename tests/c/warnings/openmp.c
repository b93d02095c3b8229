//@ property: all verdict: safe
//@ run: gcc
//@ warning: 9 openmp
// OpenMP pragmas are ignored, with one warning; without -fopenmp gcc does the same.
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 4; i++) sum += i;
#pragma omp barrier
#pragma ompx is something else
    printf("%d\n", sum);
    return 0;
}
