//@ property: data-race verdict: unsafe line: 10
// The object that gmtime returns is one for all, and the user's to race on.
#include <pthread.h>
#include <time.h>

static void *change(void *arg)
{
    time_t zero = 0;
    struct tm *time = gmtime(&zero);
    time->tm_hour = 3;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    change(0);
    pthread_join(thread, 0);
    return 0;
}
