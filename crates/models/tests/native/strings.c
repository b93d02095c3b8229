/* Functions on strings and bytes, on random buffers over a small alphabet. */
#include "native.h"

MODEL(memcmp); MODEL(bcmp); MODEL(memchr); MODEL(rawmemchr); MODEL(memrchr); MODEL(memmem); MODEL(mempcpy);
MODEL(memccpy); MODEL(bzero); MODEL(bcopy); MODEL(ffs); MODEL(ffsl); MODEL(ffsll); MODEL(strlen);
MODEL(strnlen); MODEL(strcpy); MODEL(strncpy); MODEL(stpcpy); MODEL(stpncpy); MODEL(strcat); MODEL(strncat);
MODEL(strcmp); MODEL(strncmp); MODEL(strcasecmp); MODEL(strncasecmp); MODEL(strcoll); MODEL(strxfrm);
MODEL(strchr); MODEL(strchrnul); MODEL(strrchr); MODEL(index); MODEL(rindex); MODEL(strstr);
MODEL(strcasestr); MODEL(strspn); MODEL(strcspn); MODEL(strpbrk); MODEL(strsep); MODEL(strtok);
MODEL(strtok_r); MODEL(strdup); MODEL(strndup); MODEL(strerror); MODEL(swab);
MODEL(isalpha); MODEL(isdigit); MODEL(isalnum); MODEL(isspace); MODEL(isupper); MODEL(islower); MODEL(ispunct);
MODEL(isprint); MODEL(isgraph); MODEL(iscntrl); MODEL(isxdigit); MODEL(isblank); MODEL(isascii);
MODEL(tolower); MODEL(toupper); MODEL(toascii);
MODEL(__ctype_b_loc); MODEL(__ctype_tolower_loc); MODEL(__ctype_toupper_loc);
size_t braid_strlcpy(char *to, const char *from, size_t size);
size_t braid_strlcat(char *to, const char *from, size_t size);

static char a[64];
static char b[64];
static char c[64];

static void random_text(char *to, unsigned limit)
{
    unsigned n = any_below(limit);
    for (unsigned i = 0; i < n; i++)
        to[i] = "abAB,;\xe4"[any_below(7)];
    to[n] = 0;
}

static int sign(long long n)
{
    return n < 0 ? -1 : n > 0;
}

#define SAME(f, ...) \
    do { \
        long long x = (long long)braid_##f(__VA_ARGS__); \
        long long y = (long long)f(__VA_ARGS__); \
        if (x != y) \
            differ(#f " '%s' '%s': ours %lld, theirs %lld", a, b, x, y); \
    } while (0)
/* Only the sign is defined. */
#define SAME_SIGN(f, ...) \
    do { \
        int x = braid_##f(__VA_ARGS__); \
        int y = f(__VA_ARGS__); \
        if (sign(x) != sign(y)) \
            differ(#f " '%s' '%s': ours %d, theirs %d", a, b, x, y); \
    } while (0)
/* Functions that write: result (as an offset) and all bytes must agree. */
#define SAME_WRITE(f, call_ours, call_theirs) \
    do { \
        char ours[160], theirs[160]; \
        memset(ours, '#', sizeof ours); \
        memset(theirs, '#', sizeof theirs); \
        strcpy(ours, c); \
        strcpy(theirs, c); \
        long x = (long)(call_ours); \
        long y = (long)(call_theirs); \
        if (x && x != (long)strlen(b)) \
            x -= (long)ours; \
        if (y && y != (long)strlen(b)) \
            y -= (long)theirs; \
        if (x != y || memcmp(ours, theirs, sizeof ours)) \
            differ(#f " '%s': results %ld %ld, '%s' '%s'", b, x, y, ours, theirs); \
    } while (0)

static void searches(int ch, size_t n)
{
    SAME(strlen, a);
    SAME(strnlen, a, n);
    SAME_SIGN(memcmp, a, b, n);
    SAME_SIGN(strcmp, a, b);
    SAME(strncmp, a, b, n);
    SAME(strcasecmp, a, b);
    SAME(strncasecmp, a, b, n);
    SAME_SIGN(strcoll, a, b);
    SAME(memchr, a, ch, n);
    SAME(memrchr, a, ch, n);
    SAME(memmem, a, n, b, n % 4);
    SAME(strchr, a, ch);
    SAME(strchrnul, a, ch);
    SAME(strrchr, a, ch);
    SAME(index, a, ch);
    SAME(rindex, a, ch);
    SAME(strstr, a, c);
    SAME(strcasestr, a, c);
    SAME(strspn, a, b);
    SAME(strcspn, a, b);
    SAME(strpbrk, a, b);
    if ((braid_bcmp(a, b, n) != 0) != (bcmp(a, b, n) != 0))
        differ("bcmp '%s' '%s' %zu", a, b, n);
}

static void writes(int ch, size_t n)
{
    SAME_WRITE(strcpy, braid_strcpy(ours, b), strcpy(theirs, b));
    SAME_WRITE(strncpy, braid_strncpy(ours, b, n), strncpy(theirs, b, n));
    SAME_WRITE(stpcpy, braid_stpcpy(ours, b), stpcpy(theirs, b));
    SAME_WRITE(stpncpy, braid_stpncpy(ours, b, n), stpncpy(theirs, b, n));
    SAME_WRITE(strcat, braid_strcat(ours, b), strcat(theirs, b));
    SAME_WRITE(strncat, braid_strncat(ours, b, n), strncat(theirs, b, n));
    SAME_WRITE(strxfrm, (braid_strxfrm(ours, b, n) - strlen(b), 0), (strxfrm(theirs, b, n), 0));
    SAME_WRITE(mempcpy, braid_mempcpy(ours, b, n), mempcpy(theirs, b, n));
    SAME_WRITE(memccpy, braid_memccpy(ours, b, ch, n), memccpy(theirs, b, ch, n));
    SAME_WRITE(bcopy, (braid_bcopy(ours, ours + 3, n), 0), (bcopy(theirs, theirs + 3, n), 0));
    SAME_WRITE(bzero, (braid_bzero(ours, n), 0), (bzero(theirs, n), 0));
    SAME_WRITE(swab, (braid_swab(b, ours, (long)n), 0), (swab(b, theirs, (long)n), 0));
}

static void tokens(void)
{
    char ours[64], theirs[64];
    char *x, *y, *p, *q;
    strcpy(ours, a);
    strcpy(theirs, a);
    x = braid_strtok(ours, ",;");
    y = strtok(theirs, ",;");
    while (x || y) {
        if (!x || !y || strcmp(x, y) || x - ours != y - theirs) {
            differ("strtok '%s'", a);
            break;
        }
        x = braid_strtok(0, ",;");
        y = strtok(0, ",;");
    }
    strcpy(ours, a);
    strcpy(theirs, a);
    p = ours;
    q = theirs;
    do {
        x = braid_strsep(&p, ",;");
        y = strsep(&q, ",;");
        if (!x != !y || (x && (strcmp(x, y) || x - ours != y - theirs)))
            differ("strsep '%s'", a);
    } while (x && y);
}

#define CLASS(f) \
    if (braid_##f(i) != (f)(i)) \
    differ(#f "(%d): ours %d, theirs %d", i, braid_##f(i), (f)(i))

static void classes(void)
{
    for (int i = -128; i < 256; i++) {
        CLASS(isalpha); CLASS(isdigit); CLASS(isalnum); CLASS(isspace); CLASS(isupper); CLASS(islower);
        CLASS(ispunct); CLASS(isprint); CLASS(isgraph); CLASS(iscntrl); CLASS(isxdigit); CLASS(isblank);
        CLASS(tolower); CLASS(toupper); CLASS(isascii); CLASS(toascii);
        if ((*braid___ctype_b_loc())[i] != (*__ctype_b_loc())[i] ||
            (*braid___ctype_tolower_loc())[i] != (*__ctype_tolower_loc())[i] ||
            (*braid___ctype_toupper_loc())[i] != (*__ctype_toupper_loc())[i])
            differ("ctype tables at %d", i);
    }
    if (braid_toupper(1000) != toupper(1000) || braid_tolower(-1000) != tolower(-1000))
        differ("case of characters out of range");
}

void compare_strings(void)
{
    for (int i = 0; i < 20000; i++) {
        random_text(a, 20);
        random_text(b, any_below(3) ? 20 : 4);
        random_text(c, any_below(3) ? 4 : 20);
        searches("abAB,;\xe4z"[any_below(8)], any_below(24));
        writes("abAB,;\xe4z"[any_below(8)], any_below(24));
        tokens();
    }
    for (int i = 0; i < 64; i++) {
        long long bit = (long long)(any() << i);
        SAME(ffs, (int)bit);
        SAME(ffsl, (long)bit);
        SAME(ffsll, bit);
    }
    for (int i = -3; i < 200; i++)
        if (strcmp(braid_strerror(i), strerror(i)))
            differ("strerror(%d): ours '%s', theirs '%s'", i, braid_strerror(i), strerror(i));
    classes();
    if (strcmp(braid_strdup("copy"), "copy") || strcmp(braid_strndup("copy", 2), "co"))
        differ("strdup or strndup");
    strcpy(a, "12345");
    if (braid_strlcpy(b, "abcdef", 4) != 6 || strcmp(b, "abc") || braid_strlcat(a, "xyz", 7) != 8 ||
        strcmp(a, "12345x"))
        differ("strlcpy or strlcat: '%s' '%s'", a, b);
}
