//@ property: use-after-free verdict: unsafe line: 15
// The address of a local survives its function.
struct cell { int value; };
static struct cell *last;

static int remember(int v) {
    struct cell c = {v};
    last = &c;
    return last->value;
}

int main(void) {
    if (remember(5) != 5)
        return 1;
    return last->value;
}
