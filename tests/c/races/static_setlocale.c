//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: setlocale
// Two threads set the locale.
#include <locale.h>
#include <pthread.h>

static void *other(void *unused)
{
    (void)unused;
    setlocale(LC_ALL, "C");
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    setlocale(LC_ALL, "C");
    pthread_join(a, 0);
    return 0;
}
