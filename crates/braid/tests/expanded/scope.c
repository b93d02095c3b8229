#include <pthread.h>
static int pick(int n) { int *p = &n, s = 0; for (int i = 0; i < 2; i++) { int in = i + 3; s += *p; if (i == n) p = &in; } return s; }
static int x; static void *t(void *a) { x = pick(5); return 0; }
int main(void) { pthread_t p; int *q; pthread_create(&p, 0, t, 0); { int in = 3; q = &in; } pthread_join(p, 0); if (x == 10) return pick(0); return *q; }
