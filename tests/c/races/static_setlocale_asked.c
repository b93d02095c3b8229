//@ property: all verdict: safe
//@ model: setlocale
// To ask which locale is set changes nothing.
#include <locale.h>
#include <pthread.h>

static void *other(void *unused)
{
    (void)unused;
    setlocale(LC_ALL, NULL);
    return 0;
}

int main(void)
{
    pthread_t a;
    setlocale(LC_ALL, "C");
    pthread_create(&a, 0, other, 0);
    setlocale(LC_ALL, NULL);
    pthread_join(a, 0);
    return 0;
}
