/* Workers that take jobs from a list under one mutex and one condition variable, and make names for themselves that
   nobody reads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
struct job { struct job *next; int number; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct job *head;
static int closed, done;
struct worker { pthread_t thread; char name[16]; int number; };
static void *work(void *arg) {
  struct worker *self = arg;
  snprintf(self->name, sizeof self->name, "worker-%d", self->number);
  for (;;) {
    pthread_mutex_lock(&m);
    while (!head && !closed) pthread_cond_wait(&c, &m);
    struct job *j = head;
    if (!j) { pthread_mutex_unlock(&m); return 0; }
    head = j->next;
    done++;
    pthread_mutex_unlock(&m);
    free(j);
  }
}
int main(void) {
  static struct worker workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) { workers[i].number = i; pthread_create(&workers[i].thread, 0, work, &workers[i]); }
  for (int i = 0; i < JOBS; i++) {
    struct job *j = malloc(sizeof *j);
    j->number = i;
    pthread_mutex_lock(&m);
    j->next = head; head = j;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i].thread, 0);
  assert(done == JOBS);
  return 0;
}
