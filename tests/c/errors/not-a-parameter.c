//@ error: 4 not-a-parameter
// A K&R declaration of something that is no parameter.
int f(a)
int a, b;
{
    return a;
}

int main(void) { return f(1); }
