//@ error: 4:1 static-assert
//@ error: 7 static-assert
// Failing static assertions, at file scope and in a function.
_Static_assert(sizeof(int) == 8, "int has eight bytes");

int main(void) {
    _Static_assert(1 > 2, "order");
    return 0;
}
