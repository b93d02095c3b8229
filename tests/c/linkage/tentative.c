//@ property: all verdict: safe
//@ files: tentative-other.c
//@ run: gcc
// Tentative definitions: repeated in one file, completed by an initialiser, seen from another file.
#include <stdio.h>

int shared;
int shared;
int completed;
int completed = 42;
extern int completed;
int array[];
int array[4];
int (*hook)(int);
static int own;
static int own = 1;
static int own;
struct s { int a, b; } record, record;

int bump(void);

int main(void) {
    shared = 5;
    printf("%d\n", bump());
    printf("%d %d\n", shared, completed);
    printf("%d %zu\n", array[0] + array[3], sizeof array);
    printf("%d %d %d\n", own, record.b, hook(20));
    return 0;
}
