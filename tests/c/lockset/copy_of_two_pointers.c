//@ property: assertion verdict: unsafe
// A copy tells others of an object, and with it of another one that the first points to and the copy, too.
#include <assert.h>

struct link {
    int *to;
};

static struct both {
    struct link *link;
    int *number;
} shared;

int main(void)
{
    int number = 0;
    struct link link = { &number };
    struct both own = { &link, &number };
    shared = own;
    if (shared.number == 0)
        return 0;
    assert(0);
    return 0;
}
