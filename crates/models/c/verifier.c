/* Functions of verification programs that are more than one operation. */

void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    unsigned char *bytes = memory;
    size_t i;
    for (i = 0; i < size; i++)
        bytes[i] = __braid_value_byte();
}

/* What is known of functions without a body that give the same value for the same arguments: the applications so
   far. `function` tells them apart. */
struct application {
    int function;
    unsigned long long arguments[4];
    unsigned long long value;
};
static struct application applications[32];
static int application_count;

unsigned long long __braid_uninterpreted(int function, unsigned long long a, unsigned long long b,
                                         unsigned long long c, unsigned long long d)
{
    unsigned long long value = 0;
    int i;
    __braid_atomic_begin();
    for (i = 0; i < application_count; i++) {
        struct application *known = &applications[i];
        if (known->function == function && known->arguments[0] == a && known->arguments[1] == b
            && known->arguments[2] == c && known->arguments[3] == d) {
            value = known->value;
            break;
        }
    }
    if (i == application_count) {
        if (i == 32)
            __braid_too_many_applications();
        value = __braid_value_wide();
        applications[i].function = function;
        applications[i].arguments[0] = a;
        applications[i].arguments[1] = b;
        applications[i].arguments[2] = c;
        applications[i].arguments[3] = d;
        applications[i].value = value;
        application_count = i + 1;
    }
    __braid_atomic_end();
    return value;
}
