//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 3
// singleton.c repaired: a mutex makes looking for the object and making it one step.
#include <assert.h>
#include <pthread.h>

struct object {
    char text[2];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object made[2];
static struct object *only;

static struct object *get(long number)
{
    pthread_mutex_lock(&lock);
    if (!only) {
        made[number].text[0] = '-';
        made[number].text[1] = '-';
        only = &made[number];
    }
    struct object *found = only;
    pthread_mutex_unlock(&lock);
    return found;
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
