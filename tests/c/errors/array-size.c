//@ error: 6 array-size
//@ error: 7 array-size
//@ error: 8 array-size
// Negative, not an integer, and variable at file scope.
int n = 5;
int a[-1];
int b[2.5];
int c[n];

int main(void) { return 0; }
