//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 43
//@ bounds: unwind 1 rounds 3
// Two threads write a character each into the one object, which the first of them makes. Both may find that there is
// none, and then one character is lost with its object. singleton in table 1 of Inverso et al. (CAV 2014), there with
// unwind 1 and 3 rounds: both threads look, both write, main compares.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct object {
    char text[2];
};

static struct object made[2];
static _Atomic(struct object *) only;

static struct object *get(long number)
{
    if (!only) {
        made[number].text[0] = '-';
        made[number].text[1] = '-';
        only = &made[number];
    }
    return only;
}

static void *write_text(void *arg)
{
    long number = (long)arg;
    get(number)->text[number] = "XY"[number];
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, write_text, (void *)0);
    pthread_create(&second, 0, write_text, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    struct object *end = only;
    assert(end->text[0] == 'X' && end->text[1] == 'Y');
    return 0;
}
