//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 9
// The address of a member of the element past the end: the element itself would be used.
struct pair { int x, y; };
static struct pair pairs[2];

int main(void) {
    int n = 2;
    int *p = &pairs[n].y;
    return p == 0;
}
