//@ property: all verdict: safe
//@ run: gcc
// Each thread works on a half of the row, up to an address one past its end.
#include <assert.h>
#include <pthread.h>

struct halves { int low[2]; int high[2]; };
static struct halves h;
struct range { int *from, *to; };

static void *fill(void *arg) {
    struct range *r = arg;
    for (int *p = r->from; p != r->to; p++)
        *p = 1;
    return 0;
}

int main(void) {
    int n = 2;
    struct range low = {&h.low[0], &h.low[n]}, high = {h.high, &h.high[n]};
    pthread_t t;
    pthread_create(&t, 0, fill, &low);
    fill(&high);
    pthread_join(t, 0);
    assert(h.low[1] == 1 && h.high[1] == 1);
    return 0;
}
