//@ property: all verdict: safe
//@ run: gcc
// _Bool and enumeration bit-fields.
#include <stdbool.h>
#include <stdio.h>

enum state { IDLE, RUNNING, STOPPED, FAILED };
struct task {
    bool ready : 1;
    bool done : 1;
    enum state state : 2;
    unsigned priority : 5;
};

static const char *names[] = {"idle", "running", "stopped", "failed"};

int main(void) {
    struct task t = {.ready = 4, .state = FAILED, .priority = 31};
    printf("%d %d %s %d\n", t.ready, t.done, names[t.state], t.priority);
    t.done = 0.5;
    printf("%d\n", t.done);
    t.ready = t.ready && !t.done;
    printf("%d\n", t.ready);
    t.state = STOPPED;
    switch (t.state) {
    case STOPPED:
        puts("stopped");
        break;
    default:
        puts("?");
    }
    t.state++;
    printf("%s %d\n", names[t.state], t.state == FAILED);
    t.priority += 1;
    printf("%d\n", t.priority);
    t.ready |= 2;
    printf("%d %zu\n", t.ready, sizeof t);
    bool *flag = &(bool){t.ready};
    printf("%d\n", *flag);
    return 0;
}
