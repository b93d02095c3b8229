/* Streams: random sequences of calls on the model's standard input and on a memory stream. */
#include "native.h"

extern FILE *braid_stdin;
extern FILE *braid_stdout;
extern FILE *braid_stderr;
MODEL(fgetc); MODEL(ungetc); MODEL(fgets); MODEL(fread); MODEL(getline); MODEL(getdelim); MODEL(feof);
MODEL(clearerr); MODEL(printf); MODEL(fprintf); MODEL(puts); MODEL(putchar); MODEL(fputs); MODEL(fwrite);
MODEL(fputc); MODEL(perror); MODEL(vprintf); MODEL(dprintf); MODEL(ferror); MODEL(write); MODEL(fileno);

static void one_call(FILE *stream, int *pushed)
{
    char x[40], y[40];
    char *p = 0, *q = 0;
    size_t n = 0, m = 0;
    int k = any_below(12) + 1;
    long r, s;
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    switch (any_below(6)) {
    case 0:
        r = braid_fgetc(braid_stdin);
        s = fgetc(stream);
        /* Pushed back at most once, which is all that is guaranteed. */
        if (r >= 0 && r == s && any_below(2)) {
            braid_ungetc((int)r, braid_stdin);
            ungetc((int)s, stream);
        }
        break;
    case 1:
        r = braid_fgets(x, k, braid_stdin) != 0;
        s = fgets(y, k, stream) != 0;
        break;
    case 2:
        r = (long)braid_fread(x, 3, k, braid_stdin);
        s = (long)fread(y, 3, k, stream);
        break;
    case 3:
        r = braid_getline(&p, &n, braid_stdin);
        s = getline(&q, &m, stream);
        if (n != m || (r >= 0 && strcmp(p, q)))
            differ("getline %zu %zu '%s' '%s'", n, m, p, q);
        break;
    case 4:
        r = braid_getdelim(&p, &n, ',', braid_stdin);
        s = getdelim(&q, &m, ',', stream);
        if (r >= 0 && r == s && strcmp(p, q))
            differ("getdelim '%s' '%s'", p, q);
        break;
    default:
        if (any_below(4) == 0) {
            braid_clearerr(braid_stdin);
            clearerr(stream);
        }
        r = braid_feof(braid_stdin) != 0;
        s = feof(stream) != 0;
    }
    if (r != s || memcmp(x, y, sizeof x))
        differ("reading: %ld %ld '%.40s' '%.40s'", r, s, x, y);
}

static void reading(void)
{
    static char text[400];
    for (int i = 0; i < 400; i++) {
        int pushed = 0;
        int n = any_below(300) + 1;
        for (int k = 0; k < n; k++)
            text[k] = "abcdefgh,\n"[any_below(10)];
        text[n] = 0;
        harness_input = text;
        braid_clearerr(braid_stdin);
        FILE *stream = fmemopen(text, (size_t)n, "r");
        for (int k = 0; k < 60; k++)
            one_call(stream, &pushed);
        while (braid_fgetc(braid_stdin) >= 0)
            ;
        fclose(stream);
    }
}

static void expect(int stream, const char *text, int result, int expected)
{
    if (harness_length[stream] != strlen(text) || memcmp(harness_output[stream], text, strlen(text)) ||
        result != expected)
        differ("output %d: '%.*s', expected '%s'; result %d, expected %d", stream,
               (int)harness_length[stream], harness_output[stream], text, result, expected);
    harness_length[stream] = 0;
}

static void writing(void)
{
    expect(1, "hello 5\n", braid_printf("hello %d\n", 5), 8);
    expect(2, "hello 5\n", braid_fprintf(braid_stderr, "hello %d\n", 5), 8);
    expect(1, "text\n", braid_puts("text"), 5);
    expect(1, "x", braid_putchar('x'), 'x');
    expect(1, "\xff", braid_putchar(-1), 255);
    expect(2, "text", braid_fputs("text", braid_stderr), 1);
    expect(1, "abcdef", (int)braid_fwrite("abcdefgh", 2, 3, braid_stdout), 3);
    expect(1, "", (int)braid_fwrite("abcdefgh", 0, 3, braid_stdout), 0);
    expect(2, "dd", braid_dprintf(2, "dd"), 2);
    expect(1, "wr", (int)braid_write(1, "wrong", 2), 2);
    model_errno = ENOENT;
    braid_perror("file");
    braid_perror("");
    braid_perror(0);
    expect(2, "file: No such file or directory\nNo such file or directory\nNo such file or directory\n", 0, 0);
    expect(1, "", braid_fputc('x', braid_stdin), -1);
    expect(1, "", braid_ferror(braid_stdin), 1);
    expect(1, "", braid_fprintf(braid_stdin, "x"), -1);
    expect(1, "", (int)braid_write(7, "x", 1), -1);
    if (braid_fileno(braid_stdin) != 0 || braid_fileno(braid_stdout) != 1 || braid_fileno(braid_stderr) != 2)
        differ("fileno");
    braid_clearerr(braid_stdin);
}

void compare_stdio(void)
{
    writing();
    reading();
}
