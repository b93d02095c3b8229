/* Names for temporary files: arbitrary, as far as their last six characters go. The buffer for tmpnam(NULL) is memory
   that threads can race on. */

static char tmpnam_buffer[20];

static char *make_name(char *name)
{
    static const char start[] = "/tmp/file";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    unsigned long long number = (unsigned long long)__braid_value_long();
    int i;
    __braid_copy(name, start, 9);
    for (i = 9; i < 15; i++) {
        name[i] = letters[number % 62];
        number /= 62;
    }
    name[15] = 0;
    return name;
}

char *tmpnam(char *name)
{
    return make_name(name ? name : tmpnam_buffer);
}

char *tmpnam_r(char *name)
{
    return name ? make_name(name) : 0;
}
