//@ property: all verdict: safe
//@ run: gcc
// A tokeniser and calculator: switch, goto and loops as in real parsers.
#include <ctype.h>
#include <stdio.h>

static const char *in;
static int failed;

static long expression(void);
static void blanks(void) {
    while (*in == ' ')
        in++;
}
static long primary(void) {
    long v = 0;
retry:
    switch (*in) {
    case ' ':
        in++;
        goto retry;
    case '(':
        in++;
        v = expression();
        blanks();
        if (*in++ != ')')
            failed = 1;
        return v;
    case '-':
        in++;
        return -primary();
    case '0' ... '9':
        do
            v = v * 10 + (*in++ - '0');
        while (isdigit((unsigned char)*in));
        return v;
    default:
        failed = 1;
        return 0;
    }
}
static long term(void) {
    long v = primary();
    for (;;) {
        blanks();
        char op = *in;
        if (op != '*' && op != '/' && op != '%')
            return v;
        in++;
        long r = primary();
        if (op == '*')
            v *= r;
        else if (r == 0)
            return failed = 1, 0;
        else
            v = op == '/' ? v / r : v % r;
    }
}
static long expression(void) {
    long v = term();
    while (blanks(), *in == '+' || *in == '-')
        v = *in++ == '+' ? v + term() : v - term();
    return v;
}

int main(void) {
    const char *tests[] = {"1 + 2 * 3", "(1+2)*3", "-4 - -4", "2*(3+(4-1))%5", "10/3*3", "7/(1-1)", "2+", "((9))"};
    for (int i = 0; i < 8; i++) {
        in = tests[i];
        failed = 0;
        long v = expression();
        if (failed || *in)
            printf("%s: error\n", tests[i]);
        else
            printf("%s = %ld\n", tests[i], v);
    }
    return 0;
}
