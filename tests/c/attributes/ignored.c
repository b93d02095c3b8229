//@ property: all verdict: safe
//@ run: gcc
// Attributes without meaning for a run, in all the places they are allowed.
#include <stdio.h>

__attribute__((unused)) static int a = 1;
static int b __attribute__((used, section(".data"))) = 2;
int c __attribute__((visibility("default"))), d __attribute__((aligned(8))) = 4;
extern void log_it(const char *fmt, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
static int __attribute__((noinline, cold)) pure_fn(int x) __attribute__((const, warn_unused_result));
typedef unsigned char byte __attribute__((may_alias));
struct __attribute__((deprecated("old"))) old { int x __attribute__((deprecated)); };
enum colour { RED __attribute__((unused)), GREEN __attribute__((deprecated)) = 5 } __attribute__((unused));

static int __attribute__((noinline, cold)) pure_fn(int x) { return x + 1; }
__attribute__((hot, optimize("O0"), no_sanitize("thread"))) static int hot(int x __attribute__((unused)), int y) { return y; }
__attribute__((malloc, returns_nonnull)) static char *text(void) { static char t[] = "text"; return t; }
void log_it(const char *fmt, ...) { puts(fmt); }

int main(void) {
    int local __attribute__((unused, aligned(32))) = 3, *__attribute__((unused)) p = &local;
    switch (a) {
    case 1:
        printf("one ");
        __attribute__((fallthrough));
    case 2:
        printf("two\n");
    }
    goto end;
end: __attribute__((unused));
    printf("%d %d %d %d\n", b + c, d, pure_fn(1), hot(1, 2));
    log_it("log");
    struct old o = {GREEN};
    printf("%s %d %zu\n", text(), o.x, sizeof(byte));
    __attribute__((unused)) int tail = 1;
    return 0;
}
