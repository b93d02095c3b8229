//@ error: 5:9 redefinition
//@ error: 15:10 redefinition
// In a block, and a parameter against a local of the outermost block.
int f(int n) {
    int n = 3;
    return n;
}

int main(void) {
    int x = 1;
    {
        int x = 2;
        x++;
    }
    char x = 4;
    return x;
}
