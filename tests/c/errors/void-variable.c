//@ error: 4:10 void-variable
// A variable of type void.
int main(void) {
    void x;
    return 0;
}
