//@ error: 5 incomplete-type
// A struct cannot contain itself.
struct node {
    int value;
    struct node next;
};

int main(void) { return 0; }
