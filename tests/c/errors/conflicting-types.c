//@ error: 5:5 conflicting-types
//@ error: 8:13 conflicting-types
// Declarations of one name that cannot be composed.
int f(int a, char *b);
int f(int a, int b) { return a + b; }

extern int counter;
extern long counter;

int main(void) { return 0; }
