//@ error: 6:10 incomplete-type
//@ error: 7:10 incomplete-type
// A variable of type void, and an array of void.
int main(void) {
    void *fine = 0;
    void x;
    void list[3];
    return fine != 0;
}
