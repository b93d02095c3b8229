//@ error: 5 flexible-array
// A flexible array member that is not last.
struct s {
    int n;
    int data[];
    int after;
};

int main(void) { return 0; }
