//@ error: 6 not-constant
//@ error: 10 not-constant
//@ error: 13 not-constant
// Where constants are required: static initialisers, case labels, enumerators.
static int f(void) { return 1; }
static int global = f();

int main(int argc, char **argv) {
    switch (argc) {
    case argc:
        return 1;
    }
    enum { E = f() };
    return global;
}
