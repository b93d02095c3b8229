//@ property: division-by-zero verdict: unsafe line: 102
# 1 "gen.c"
extern int printf(const char *, ...);
# 100 "template.c"
static int divide(int a, int b) {
    printf("%d\n", a);
    return a / b;
}
# 3 "gen.c"
int main(void) { return divide(1, 0); }
