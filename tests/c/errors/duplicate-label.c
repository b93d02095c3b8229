//@ error: 8:5 redefinition
// Labels have function scope, whatever the block.
int main(void) {
    int n = 0;
again:
    n++;
    {
    again:
        n++;
    }
    if (n < 3)
        goto again;
    return 0;
}
