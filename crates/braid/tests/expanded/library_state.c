// Library functions with a state of their own, some of which race.
#define _GNU_SOURCE
#include <pthread.h>
#include <locale.h>
#include <signal.h>

static void *t(void *a) {
    pthread_setconcurrency(3);
    setlocale(LC_ALL, "C");
    signal(SIGINT, SIG_IGN);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    pthread_setconcurrency(2);
    setlocale(LC_ALL, "C");
    signal(SIGINT, SIG_DFL);
    pthread_join(p, 0);
    return 0;
}
