//@ model: __assert
//@ property: assertion verdict: unsafe line: 8
//@ property: memory verdict: safe
void __assert(const char *condition, const char *file, int line);

int main(void)
{
    __assert("never", "file.c", 1);
    return 0;
}
