//@ error: 8 bad-condition
//@ error: 10 bad-switch
// Conditions must be scalar, switches integral.
struct s { int x; };

int main(void) {
    struct s s = {1};
    if (s)
        return 1;
    switch (1.5) {
    case 1:
        return 2;
    }
    return 0;
}
