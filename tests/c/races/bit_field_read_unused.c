//@ property: data-race verdict: unsafe line: 21
// Adjacent bit-fields are one memory location: reading one while another is written is a race, though nobody writes the
// bytes that are read, and the value is not used.
#include <pthread.h>

static struct {
    unsigned a : 8;
    unsigned b : 8;
} fields;

static void *look(void *arg)
{
    fields.a ^ 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    fields.b = 2;
    pthread_join(thread, 0);
    return 0;
}
