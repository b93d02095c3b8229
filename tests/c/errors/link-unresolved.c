//@ error: 6 undefined-reference
// A variable that is declared, used and nowhere defined.
extern int elsewhere;

int main(void) {
    return elsewhere;
}
