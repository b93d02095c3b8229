//@ error: 6:1 unterminated-comment
// A comment that is never closed.
int main(void) {
    return 0;
}
/* the end is missing
int x;
