//@ property: signed-overflow verdict: unsafe line: 6
// int * int that only long would hold; assigning to long comes too late.
int main(void) {
    int side = 46341;
    long ok = (long)side * side;
    long area = side * side;
    return ok == area;
}
