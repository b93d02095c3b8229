//@ property: all verdict: safe
//@ run: gcc
// Arrays whose size comes later: from an initialiser, a later declaration, a designator.
#include <stdio.h>

extern int later[];
static int peek(int i) { return later[i]; }
int later[] = {10, 20, 30};

int sparse[] = {[9] = 1, [2] = 5, 6};
typedef int vector[];
vector one = {1}, two = {1, 2};
static int tentative[4];
static int tentative[4];
extern char named[];
char named[] = "named";

int main(void) {
    printf("%zu %d\n", sizeof later / sizeof *later, peek(2));
    printf("%zu %d %d %d\n", sizeof sparse / sizeof *sparse, sparse[2], sparse[3], sparse[9]);
    printf("%zu %zu\n", sizeof one, sizeof two);
    tentative[3] = 8;
    printf("%d %d\n", tentative[3], tentative[0]);
    printf("%zu\n", sizeof named);
    int local[][2] = {{1}, {2, 3}, {}};
    printf("%zu\n", sizeof local / sizeof *local);
    return 0;
}
