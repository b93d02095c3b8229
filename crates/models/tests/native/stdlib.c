/* Sorting, searching, random numbers, the heap, clocks. */
#include "native.h"

MODEL(qsort); MODEL(qsort_r); MODEL(bsearch); MODEL(lfind); MODEL(lsearch); MODEL(rand); MODEL(srand); MODEL(rand_r);
MODEL(random); MODEL(srandom); MODEL(srand48); MODEL(drand48); MODEL(erand48); MODEL(lrand48); MODEL(nrand48);
MODEL(mrand48); MODEL(jrand48); MODEL(malloc); MODEL(calloc); MODEL(realloc); MODEL(reallocarray);
MODEL(aligned_alloc); MODEL(posix_memalign); MODEL(abs); MODEL(llabs); MODEL(div); MODEL(lldiv); MODEL(getenv);
MODEL(clock_gettime); MODEL(clock); MODEL(time); MODEL(difftime); MODEL(getenv);

struct pair {
    int key;
    int place;
};

/* Every comparison is noted: both sorts must ask the same questions. */
static unsigned long long notes;

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    notes = notes * 1000003 + (unsigned)x->place * 31u + (unsigned)y->place;
    return x->key - y->key;
}

static int compare_context(const void *a, const void *b, void *context)
{
    ++*(int *)context;
    return compare_pairs(a, b);
}

static void sorting(void)
{
    struct pair ours[60], theirs[60];
    for (int i = 0; i < 2000; i++) {
        unsigned n = any_below(60);
        unsigned long long our_notes;
        int x = 0, y = 0;
        for (unsigned k = 0; k < n; k++) {
            ours[k].key = (int)any_below(20);
            ours[k].place = (int)k;
            theirs[k] = ours[k];
        }
        notes = 0;
        if (i % 2)
            braid_qsort(ours, n, sizeof *ours, compare_pairs);
        else
            braid_qsort_r(ours, n, sizeof *ours, compare_context, &x);
        our_notes = notes;
        notes = 0;
        if (i % 2)
            qsort(theirs, n, sizeof *theirs, compare_pairs);
        else
            qsort_r(theirs, n, sizeof *theirs, compare_context, &y);
        if (notes != our_notes || x != y || memcmp(ours, theirs, n * sizeof *ours))
            differ("qsort of %u", n);
        struct pair key = {(int)any_below(22), 0};
        void *p = braid_bsearch(&key, ours, n, sizeof *ours, compare_pairs);
        void *q = bsearch(&key, ours, n, sizeof *ours, compare_pairs);
        size_t count = n;
        if (p != q)
            differ("bsearch of %d in %u", key.key, n);
        if (braid_lfind(&key, ours, &count, sizeof *ours, compare_pairs) !=
            lfind(&key, ours, &count, sizeof *ours, compare_pairs))
            differ("lfind of %d in %u", key.key, n);
    }
}

#define SAME(a, b) \
    do { \
        __typeof__(b) y_ = (b); \
        __typeof__(b) x_ = (a); \
        if (x_ != y_) \
            differ(#b " differs"); \
    } while (0)

static void random_numbers(void)
{
    static const unsigned seeds[] = {1, 0, 2, 42, 12345, 0x80000000u, 0xffffffffu, 123456789};
    for (int i = 0; i < 200; i++)
        SAME(braid_rand(), rand());
    for (int i = 0; i < 10; i++)
        SAME(braid_drand48(), drand48());
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        unsigned x = seeds[s], y = seeds[s];
        unsigned short v[3] = {1, 2, (unsigned short)s}, w[3] = {1, 2, (unsigned short)s};
        braid_srand(seeds[s]);
        srand(seeds[s]);
        braid_srand48((long)seeds[s]);
        srand48((long)seeds[s]);
        for (int i = 0; i < 100; i++) {
            SAME(braid_rand(), rand());
            SAME(braid_random(), random());
            SAME(braid_rand_r(&x), rand_r(&y));
            SAME(braid_drand48(), drand48());
            SAME(braid_lrand48(), lrand48());
            SAME(braid_mrand48(), mrand48());
            SAME(braid_erand48(v), erand48(w));
            SAME(braid_nrand48(v), nrand48(w));
            SAME(braid_jrand48(v), jrand48(w));
        }
    }
}

static void heap(void)
{
    char *p = braid_malloc(3);
    void *q = 0;
    memcpy(p, "abc", 3);
    p = braid_realloc(p, 5000);
    if (memcmp(p, "abc", 3))
        differ("realloc loses contents");
    p = braid_realloc(p, 2);
    if (memcmp(p, "ab", 2) || braid_realloc(p, 0))
        differ("realloc to less");
    model_errno = 0;
    if (braid_malloc((size_t)-1 / 2 + 1) || model_errno != ENOMEM || braid_calloc((size_t)-1 / 4, 8) ||
        braid_calloc((size_t)-1 / 8, 5) || braid_reallocarray(0, (size_t)-1 / 4, 8))
        differ("allocation of too much");
    if (braid_malloc(0) == braid_malloc(0))
        differ("malloc(0) twice the same");
    for (int align = 0; align < 70; align++) {
        void *mine = 0, *other = 0;
        int x = braid_posix_memalign(&mine, (size_t)align, 10), y = posix_memalign(&other, (size_t)align, 10);
        if (x != y || (!x && (size_t)mine % (size_t)align))
            differ("posix_memalign %d: %d %d", align, x, y);
    }
    if ((size_t)braid_aligned_alloc(256, 512) % 256)
        differ("aligned_alloc");
    p = braid_calloc(10, 10);
    for (int i = 0; i < 100; i++)
        if (p[i])
            differ("calloc");
}

static void clocks(void)
{
    struct timespec last = {0, 0}, now;
    clock_t ticks = 0;
    for (int i = 0; i < 1000; i++) {
        clock_t t = braid_clock();
        braid_clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_nsec < 0 || now.tv_nsec >= 1000000000 || now.tv_sec < last.tv_sec ||
            (now.tv_sec == last.tv_sec && now.tv_nsec < last.tv_nsec) || t < ticks || braid_time(0) < 0)
            differ("a clock runs backward");
        last = now;
        ticks = t;
    }
    if (braid_clock_gettime(77, &now) != -1 || braid_difftime(7, 9) != -2.0)
        differ("clock_gettime of no clock, or difftime");
}

void compare_stdlib(void)
{
    sorting();
    random_numbers();
    heap();
    clocks();
    for (int i = 0; i < 1000; i++) {
        int x = (int)any(), y = (int)any() | 1;
        long long v = (long long)any(), w = (long long)any() | 1;
        div_t d = braid_div(x, y);
        lldiv_t e = braid_lldiv(v, w);
        if (d.quot != x / y || d.rem != x % y || e.quot != v / w || e.rem != v % w)
            differ("div");
        SAME(braid_abs(x), abs(x));
        SAME(braid_llabs(v), llabs(v));
    }
    if (braid_getenv("HOME"))
        differ("getenv");
}
