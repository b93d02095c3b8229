//@ model: __stack_chk_fail
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 134
void __stack_chk_fail(void);

int main(void)
{
    __stack_chk_fail();
    return 0;
}
