//@ error: 6:12 redefinition
//@ error: 9:5 redefinition
//@ error: 12:8 redefinition
// The same name defined twice: function, variable, struct.
static int value = 1;
static int value = 2;

int f(void) { return 1; }
int f(void) { return 2; }

struct s { int a; };
struct s { int b; };

int main(void) { return f() + value; }
