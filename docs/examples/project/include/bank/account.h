#ifndef BANK_ACCOUNT_H
#define BANK_ACCOUNT_H

#include <pthread.h>

extern int balance;
extern pthread_mutex_t lock;

void *deposit(void *unused);
void *withdraw(void *unused);
int expected(void);

#endif
