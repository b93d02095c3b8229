//@ property: assertion verdict: unsafe line: 11
//@ exit: 134
// The violation stands at the assert, deep in a call chain and a recursion.
#include <assert.h>

struct tree { struct tree *left, *right; int key; };

static void check(const struct tree *t, int low, int high) {
    if (!t)
        return;
    assert(low < t->key && t->key < high);
    check(t->left, low, t->key);
    check(t->right, t->key, high);
}
static void audit(const struct tree *t) { check(t, -1000, 1000); }

int main(void) {
    struct tree leaf = {0, 0, 7}, left = {0, &leaf, 5}, root = {&left, 0, 6};
    audit(&leaf);
    audit(&left);
    audit(&root);
    return 0;
}
