//@ property: all verdict: safe
//@ run: gcc
// void in all its uses: returned, cast, in ?: and comma, through pointers.
#include <stdio.h>

static void say(const char *s) { printf("%s ", s); }
static void forward(const char *s) { return say(s); }
static void both(int x) { return x ? say("yes") : say("no"); }
static void sequence(void) { return say("a"), say("b"), (void)5; }
typedef void action(const char *);
static void run(action *a, const char *s) { a(s); }

int main(void) {
    forward("forward");
    both(1);
    both(0);
    sequence();
    run(say, "run");
    run(forward, "again");
    (void)say;
    (void)0;
    (say("comma"), say("list"));
    action *const table[] = {say, forward};
    for (unsigned i = 0; i < 2; i++)
        (**table[i])("table");
    puts("");
    return 0;
}
