//@ error: 4:14 redefinition
// Enumerators share the name space of variables.
enum colour { RED, GREEN };
enum light { GREEN, YELLOW };

int main(void) { return RED; }
