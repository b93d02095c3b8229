/* The scanf family: random formats on random texts. */
#include "native.h"

MODEL(sscanf);
MODEL(scanf);
MODEL(clearerr);
extern FILE *braid_stdin;

static const char *const items[] = {"%d", "%i", "%u", "%x", "%o", "%hhd", "%hd", "%ld", "%lld", "%5d", "%2i", "%3x",
    "%f", "%lf", "%e", "%g", "%a", "%4f", "%7lf", "%s", "%3s", "%c", "%2c", "%[abc]", "%[^,]", "%3[0-9]", "%[]x]",
    "%[^]x]", "%[a-cx-]", "%*d", "%*s", "%*f", "%*c", "%n", "%p", "%%", ",", " ", "x", "-", "%zu", "%jd", "%i,", "%lu",
    "%1d", "%1i", "%2x", "%*[0-9]", "%n"};
static const char *const texts[] = {"12", "-7", "+3", "0x1f", "0X", "0x", "077", "08", "1.5", "-2.5e3", "1e", "1e+",
    ".5", "5.", ".", "e5", "inf", "infinity", "infini", "nan", "abc", "cab]x", "x-y", ",", " ", "  ", "\n", "%", "-",
    "+", "99999999999999999999", "-99999999999999999999", "0x1.8p3", "0x.p1", "0x1p", "(nil)", "(ni", "18446744073709551615",
    "4294967296", "-", "0", "00", "1-2", "xyz", "9"};

void compare_scan(void)
{
    for (int i = 0; i < 60000; i++) {
        char format[64] = "";
        char text[200] = "";
        int n = any_below(4) + 1;
        /* Room for the largest item, so that `%s` into it is harmless. */
        char ours[6][256], theirs[6][256];
        int r, s, x, y;
        for (int k = 0; k < n; k++)
            strcat(format, items[any_below(sizeof items / sizeof *items)]);
        n = any_below(6);
        for (int k = 0; k < n; k++) {
            strcat(text, texts[any_below(sizeof texts / sizeof *texts)]);
            if (any_below(2))
                strcat(text, any_below(2) ? " " : ",");
        }
        memset(ours, '#', sizeof ours);
        memset(theirs, '#', sizeof theirs);
        model_errno = errno = 0;
        r = braid_sscanf(text, format, ours[0], ours[1], ours[2], ours[3], ours[4], ours[5]);
        x = model_errno;
        s = sscanf(text, format, theirs[0], theirs[1], theirs[2], theirs[3], theirs[4], theirs[5]);
        y = errno;
        if (r != s || memcmp(ours, theirs, sizeof ours))
            differ("sscanf '%s' on '%s': ours %d %.8s %.8s, theirs %d %.8s %.8s", format, text, r, ours[0], ours[1],
                   s, theirs[0], theirs[1]);
    }
    int a = 0, b = 0;
    char *made = 0;
    braid_clearerr(braid_stdin);
    harness_input = "12 abc\n 34";
    if (braid_scanf("%d %ms %d", &a, &made, &b) != 3 || a != 12 || b != 34 || strcmp(made, "abc"))
        differ("scanf: %d %d", a, b);
    if (braid_scanf("%d", &a) != -1)
        differ("scanf at the end");
}
