//@ property: all verdict: safe
//@ stdin: {"name": "braid", "tags": ["c", "model\\tchecker"], "n": -12.5e1, "ok": true, "none": null, "deep": [[1,[2]],{}]}
//@ run: gcc
// A JSON reader and printer over standard input: recursive data, tagged unions, ownership.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct value value;
struct value {
    enum { NUL, BOOL, NUM, STR, ARR, OBJ } kind;
    union { int b; double n; char *s; struct { value *items; char **keys; int count; }; };
};
static int c;
static void next(void) { c = getchar(); }
static void skip(void) { while (isspace(c)) next(); }
static void need(int want) {
    skip();
    if (c != want) {
        printf("expected %c\n", want);
        exit(1);
    }
    next();
}
static char *text(void) {
    char buffer[64];
    int n = 0;
    for (need('"'); c != '"'; next()) {
        if (c == '\\')
            next(), c = c == 't' ? '\t' : c;
        buffer[n++] = c;
    }
    next();
    return strndup(buffer, n);
}
static value parse(void) {
    skip();
    value v = {NUL};
    if (c == '"') {
        v.kind = STR;
        v.s = text();
    } else if (c == '[' || c == '{') {
        v = (value){c == '[' ? ARR : OBJ, .count = 0};
        int close = c == '[' ? ']' : '}';
        for (next(), skip(); c != close; skip()) {
            if (v.count)
                need(','), skip();
            v.items = realloc(v.items, (v.count + 1) * sizeof *v.items);
            v.keys = realloc(v.keys, (v.count + 1) * sizeof *v.keys);
            v.keys[v.count] = v.kind == OBJ ? text() : NULL;
            if (v.kind == OBJ)
                need(':');
            v.items[v.count++] = parse();
        }
        next();
    } else if (isdigit(c) || c == '-') {
        char buffer[32];
        int n = 0;
        for (; isalnum(c) || strchr("+-.", c); next())
            buffer[n++] = c;
        buffer[n] = 0;
        v = (value){NUM, .n = strtod(buffer, NULL)};
    } else {
        v.kind = c == 'n' ? NUL : BOOL;
        v.b = c == 't';
        while (isalpha(c))
            next();
    }
    return v;
}
static void print(const value *v, int depth) {
    switch (v->kind) {
    case NUL: puts("null"); break;
    case BOOL: puts(v->b ? "true" : "false"); break;
    case NUM: printf("%g\n", v->n); break;
    case STR: printf("'%s'\n", v->s); break;
    default:
        printf("%d\n", v->count);
        for (int i = 0; i < v->count; i++) {
            printf("%*s%s: ", depth * 2, "", v->keys[i] ?: "-");
            print(&v->items[i], depth + 1);
        }
    }
}
static void drop(value *v) {
    if (v->kind == STR)
        free(v->s);
    if (v->kind >= ARR) {
        for (int i = 0; i < v->count; i++)
            drop(&v->items[i]), free(v->keys[i]);
        free(v->items);
        free(v->keys);
    }
}
int main(void) {
    next();
    value v = parse();
    print(&v, 0);
    drop(&v);
    return 0;
}
