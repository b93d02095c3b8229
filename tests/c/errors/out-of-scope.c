//@ error: 7:18 undeclared-name
// The loop variable ends with the loop.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i;
    return sum + i;
}
