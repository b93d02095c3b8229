//@ property: all verdict: safe
//@ run: gcc
//@ warning: 3 openmp
/* A preprocessed file may still hold comments and line markers. */
# 1 "original.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "original.c"
extern int printf(const char *, ...); // a line comment
# 10 "header.h" 1 3 4
static int from_header(void) { return 5; }
# 2 "original.c" 2
#pragma GCC diagnostic push
#pragma omp parallel for
int /* inside */ main(void) {
    int x = from_header() /* * / */ / 2;
    printf("%d %s %c\n", x, "/* no comment */ // none", '/*' >> 8);
# 50 "elsewhere.c"
    return 0;
}
#ident "left over"
