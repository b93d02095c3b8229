//@ property: null-deref verdict: unsafe line: 6
// Reading through a null pointer at the end of a list.
struct node { int v; struct node *next; };

static int third(const struct node *n) {
    return n->next->next->v;
}

int main(void) {
    struct node c = {3, 0}, b = {2, &c}, a = {1, &b};
    if (third(&a) != 3)
        return 1;
    return third(&b);
}
