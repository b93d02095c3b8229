//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 11
// The address one past the end is allowed, the next one is not.
struct pair { int a[4]; int b[4]; };
static struct pair p;
static volatile int five = 5;

int main(void) {
    int *end = &p.a[4];
    int n = five;
    int *beyond = &p.a[n];
    return end == beyond;
}
