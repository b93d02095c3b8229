//@ property: data-race verdict: unsafe line: 10
// A library function accesses the user's memory like any other code.
#include <pthread.h>
#include <string.h>

static char text[4] = "a";

static void *writer(void *arg)
{
    strcpy(text, "ab");
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    size_t length = strlen(text);
    pthread_join(thread, 0);
    return length > 2;
}
