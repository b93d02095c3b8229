/* Sorting and searching. glibc's qsort is a merge sort, so it is stable; the comparisons come in the
   same order here. */

typedef int comparison(const void *, const void *, void *);

struct sorting {
    size_t size;
    comparison *compare;
    void *context;
    char *scratch;
};

/* Merges the sorted halves of `items`. */
static void merge(struct sorting *s, char *items, size_t half, size_t count)
{
    char *left = items;
    char *right = items + half * s->size;
    char *middle = right;
    char *end = items + count * s->size;
    char *to = s->scratch;
    while (left < middle && right < end) {
        char **from = s->compare(left, right, s->context) <= 0 ? &left : &right;
        __braid_copy(to, *from, s->size);
        *from += s->size;
        to += s->size;
    }
    /* What is left of the right half already stands where it belongs. */
    __braid_copy(to, left, (size_t)(middle - left));
    to += middle - left;
    __braid_copy(items, s->scratch, (size_t)(to - s->scratch));
}

static void sort(struct sorting *s, char *items, size_t count)
{
    size_t half = count / 2;
    if (count <= 1)
        return;
    sort(s, items, half);
    sort(s, items + half * s->size, count - half);
    merge(s, items, half, count);
}

void qsort_r(void *items, size_t count, size_t size, comparison *compare, void *context)
{
    struct sorting s;
    if (count <= 1 || !size)
        return;
    s.size = size;
    s.compare = compare;
    s.context = context;
    s.scratch = __braid_alloc(count * size, 16, 0);
    sort(&s, items, count);
    __braid_free(s.scratch);
}

static int without_context(const void *a, const void *b, void *compare)
{
    return (*(int (**)(const void *, const void *))compare)(a, b);
}

void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    qsort_r(items, count, size, without_context, &compare);
}

void *bsearch(const void *key, const void *items, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *item = (const char *)items + middle * size;
        int order = compare(key, item);
        if (!order)
            return (void *)item;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

void *lfind(const void *key, const void *items, size_t *count, size_t size,
            int (*compare)(const void *, const void *))
{
    const char *item = items;
    size_t i;
    for (i = 0; i < *count; i++, item += size)
        if (!compare(key, item))
            return (void *)item;
    return 0;
}

void *lsearch(const void *key, void *items, size_t *count, size_t size,
              int (*compare)(const void *, const void *))
{
    void *item = lfind(key, items, count, size, compare);
    if (!item) {
        item = (char *)items + *count * size;
        __braid_copy(item, key, size);
        ++*count;
    }
    return item;
}
