//@ error: 4 bad-return-type
// Functions return neither arrays nor functions.
typedef int row[3];
row get(void);

int main(void) { return 0; }
