//@ property: null-deref verdict: unsafe line: 6
// Writing a member far from address zero is still a null dereference.
struct big { char pad[2000]; int tail; };

static void set(struct big *b, int v) {
    b->tail = v;
}

int main(void) {
    struct big b = {{0}, 0};
    set(&b, 1);
    set((struct big *)0, 2);
    return 0;
}
