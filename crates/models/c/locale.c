/* There is one locale, "C"; in an empty environment the empty name stands for it, too. Which locale is in use is memory
   that threads can race on. */

static int current_locale;

char *setlocale(int category, const char *name)
{
    if (category < 0 || category > 12)
        return 0;
    if (!name) {
        (void)current_locale;
        return "C";
    }
    current_locale = 0;
    if (*name && strcmp(name, "C") && strcmp(name, "POSIX")) {
        __braid_other_locale();
        return 0;
    }
    return "C";
}
