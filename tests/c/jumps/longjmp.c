//@ property: all verdict: safe
//@ run: gcc
//@ model: setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk
// Jumps out of functions: values, several frames, several places, one place again and again.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf outer, inner;
static int depth;

static void fail(int code) { longjmp(inner, code); }
static int deep(int n) {
    char local[8];
    memset(local, n, sizeof local);
    depth++;
    if (n == 0)
        fail(depth);
    int r = deep(n - 1);
    printf("never\n");
    return r + local[0];
}
static int catches(int n) {
    switch (setjmp(inner)) {
    case 0:
        return deep(n);
    case 1:
        return -1;
    case 4:
        return -4;
    default:
        return -99;
    }
}
static const char *parse(const char *text) {
    if (strcmp(text, "bad") == 0)
        longjmp(outer, 0);
    return text;
}
static int retry(void) {
    volatile int tries = 0;
    jmp_buf here;
    int code = 0;
    if ((code = setjmp(here)) != 0)
        printf("again %d\n", code);
    {
        int scoped = 5;
        int *p = &scoped;
        tries++;
        if (tries < 3)
            longjmp(here, tries * 10 + *p);
    }
    return tries;
}
static int both(void) {
    jmp_buf a, b;
    volatile int passed = 0;
    if (setjmp(a))
        passed |= 1;
    else if (setjmp(b)) {
        passed |= 2;
        longjmp(a, 1);
    } else
        longjmp(b, 1);
    return passed;
}
static void (*handler)(sigjmp_buf, int) = siglongjmp;
static int with_signals(void) {
    sigjmp_buf env;
    int code = sigsetjmp(env, 1);
    if (code == 0)
        handler(env, 7);
    return code;
}

int main(void) {
    printf("%d\n", catches(3));
    depth = 0;
    printf("%d\n", catches(0));
    if (setjmp(outer) == 0) {
        printf("%s\n", parse("good"));
        printf("%s\n", parse("bad"));
    } else
        printf("caught\n");
    printf("%d\n", retry());
    printf("%d\n", both());
    printf("%d\n", with_signals());
    for (volatile int i = 0; i < 3; i++) {
        jmp_buf loop;
        if (setjmp(loop) == 0)
            longjmp(loop, 1);
    }
    return 0;
}
