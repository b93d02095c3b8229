//@ error: 6 type-as-value
// A typedef name where a value is needed.
typedef int number;

int main(void) {
    int x = 5 + number;
    return x;
}
