//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: __pthread_join __pthread_exit __pthread_once __pthread_key_create __pthread_getspecific
//@ model: __pthread_setspecific __pthread_self __register_atfork
// Names that old preprocessed files contain.
#include <assert.h>
#include <pthread.h>

pthread_t __pthread_self(void);
int __pthread_join(pthread_t t, void **value);
void __pthread_exit(void *value) __attribute__((noreturn));
int __pthread_once(pthread_once_t *once, void (*routine)(void));
int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
void *__pthread_getspecific(pthread_key_t key);
int __pthread_setspecific(pthread_key_t key, const void *value);
int __register_atfork(void (*a)(void), void (*b)(void), void (*c)(void), void *library);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    destroyed++;
}

static void init(void) {
    __pthread_key_create(&key, destroy);
}

static void *work(void *arg) {
    __pthread_setspecific(key, &key);
    assert(__pthread_getspecific(key) == &key);
    __pthread_exit(&key);
}

int main(void) {
    pthread_t t;
    void *value = 0;
    __pthread_once(&once, init);
    __register_atfork(0, 0, 0, 0);
    assert(pthread_equal(__pthread_self(), pthread_self()));
    pthread_create(&t, 0, work, 0);
    __pthread_join(t, &value);
    assert(value == &key && destroyed == 1);
    return 0;
}

//@ known: order all unknown(addresses)
