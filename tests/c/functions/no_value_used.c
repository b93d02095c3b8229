//@ property: out-of-bounds,assertion verdict: safe
// The twin of threads/no_value_returned.c: the function returns a value wherever one is used.
static int some(int i)
{
    if (i)
        return 7;
}

int main(void)
{
    int a[3] = {1, 3};
    some(0);
    a[some(1) == 8 ? 3 : 0] = 1;
    return 0;
}
