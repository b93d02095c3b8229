//@ property: use-after-free verdict: unsafe line: 12
// A compound literal lives as long as its block.
struct point { int x, y; };

int main(void) {
    const struct point *p = 0;
    int sum = 0;
    if (!p) {
        p = &(struct point){1, 2};
        sum += p->x;
    }
    return sum + p->y;
}
