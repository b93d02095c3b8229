//@ property: out-of-bounds verdict: unsafe line: 14
// The value of a call whose function returns none is indeterminate, each time anew.
static int none(int i)
{
    if (i)
        i++;
}

int main(void)
{
    int a[3] = {1, 3};
    if (none(1) != 7)
        return 1;
    a[none(0) == 8 ? 3 : 0] = 1;
    return 0;
}
//@ known: explicit out-of-bounds unknown(cut)
