//@ unsupported: 4 use of 'elsewhere'
//@ warning: 5 undefined-variable
// The address of a variable that no file defines stands in an object that is used.
extern int elsewhere;
static int *pointer = &elsewhere;

int main(void)
{
    return *pointer;
}
