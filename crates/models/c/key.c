/* Thread-specific data. A value counts while the key has the generation it was stored under: deleting
   a key makes all values of it vanish. */

struct key {
    int used;
    unsigned generation;
    void (*destructor)(void *);
};

struct value {
    unsigned generation;
    void *value;
};

static struct key keys[32];
static __thread struct value values[32];

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    unsigned i;
    if (__braid_call_fails())
        return EAGAIN;
    __braid_atomic_begin();
    for (i = 0; i < 32 && keys[i].used; i++)
        ;
    if (i == 32)
        __braid_too_many_keys();
    keys[i].used = 1;
    keys[i].destructor = destructor;
    *key = i;
    __braid_atomic_end();
    return 0;
}

int pthread_key_delete(unsigned key)
{
    int result = 0;
    __braid_atomic_begin();
    if (key >= 32 || !keys[key].used) {
        result = EINVAL;
    } else {
        keys[key].used = 0;
        keys[key].generation++;
    }
    __braid_atomic_end();
    return result;
}

static unsigned generation_of(unsigned key)
{
    unsigned generation;
    if (!__braid_uses_key_deletion())
        return 0;
    __braid_atomic_begin();
    generation = keys[key].generation;
    __braid_atomic_end();
    return generation;
}

void *pthread_getspecific(unsigned key)
{
    if (key >= 32 || !values[key].value || values[key].generation != generation_of(key))
        return 0;
    return values[key].value;
}

/* As often as destructors leave values behind, but four times at most. */
static void destroy_values(void)
{
    int round;
    unsigned key;
    for (round = 0; round < 4; round++) {
        int found = 0;
        for (key = 0; key < 32; key++) {
            void *value = pthread_getspecific(key);
            void (*destructor)(void *);
            values[key].value = 0;
            if (!value)
                continue;
            __braid_atomic_begin();
            destructor = keys[key].destructor;
            __braid_atomic_end();
            if (destructor) {
                found = 1;
                destructor(value);
            }
        }
        if (!found)
            return;
    }
}

int pthread_setspecific(unsigned key, const void *value)
{
    int used = 0;
    __braid_atomic_begin();
    if (key < 32)
        used = keys[key].used;
    __braid_atomic_end();
    if (!used)
        return EINVAL;
    if (__braid_call_fails())
        return ENOMEM;
    values[key].generation = generation_of(key);
    values[key].value = (void *)value;
    __braid_on_thread_end(destroy_values);
    return 0;
}

int __pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor);
}

void *__pthread_getspecific(unsigned key)
{
    return pthread_getspecific(key);
}

int __pthread_setspecific(unsigned key, const void *value)
{
    return pthread_setspecific(key, value);
}
