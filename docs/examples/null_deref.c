// A thread may look for the message before there is one. FIXED: it asks.
#include <pthread.h>
#include <stdatomic.h>

static const char *_Atomic message;

static void *print(void *unused)
{
    (void)unused;
    const char *text = message;
#ifdef FIXED
    if (!text)
        return 0;
#endif
    char first = text[0];
    (void)first;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, print, 0);
    message = "hello";
    pthread_join(thread, 0);
    return 0;
}
