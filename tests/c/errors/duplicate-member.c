//@ error: 7:13 duplicate-member
// Also through an anonymous union.
struct s {
    int a;
    union {
        float b;
        int a;
    };
};

int main(void) { return 0; }
