//@ property: all verdict: safe
//@ run: gcc
// The byte after the end of the string is not touched.
#include <pthread.h>
#include <string.h>

static char buffer[4];

static void *copy(void *unused)
{
    strcpy(buffer, "ab");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, copy, 0);
    buffer[3] = 1;
    pthread_join(thread, 0);
    return 0;
}
