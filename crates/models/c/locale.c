/* There is one locale, "C"; in an empty environment the empty name stands for it, too. */

char *setlocale(int category, const char *name)
{
    if (category < 0 || category > 12)
        return 0;
    if (name && *name && strcmp(name, "C") && strcmp(name, "POSIX")) {
        __braid_other_locale();
        return 0;
    }
    return "C";
}
