//@ unsupported: 8 wrong number of arguments
//@ warning: 8 implicit-function
//@ warning: 8 argument-count
// Without a declaration there is no prototype to violate: the call is undefined, but the program is accepted.
int main(void)
{
    int x = 1;
    puts(x++, 2);
    return x;
}
