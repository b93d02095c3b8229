#include <bank/account.h>

int balance = INITIAL;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
