//@ property: out-of-bounds verdict: unsafe line: 4
// A string literal is read-only.
static void upper(char *s) {
    *s -= 32;
}

int main(void) {
    char copy[] = "copy";
    upper(copy);
    upper("literal");
    return 0;
}
