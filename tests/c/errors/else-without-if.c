//@ error: 8:5 syntax
// An else that belongs to nothing.
int main(void) {
    int x = 1;
    if (x)
        x = 2;
        x = 3;
    else
        x = 4;
    return x;
}
