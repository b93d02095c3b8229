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
