//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 12
// A subscript leaves the array for the next member: the object is not left, the array is.
struct buffer {
    char text[4];
    int used;
};
static struct buffer b;

int main(void) {
    for (int i = 0; i < 5; i++)
        b.text[i] = 'x';
    return b.used;
}
