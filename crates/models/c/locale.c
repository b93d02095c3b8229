/* There is one locale, "C". */

char *setlocale(int category, const char *name)
{
    if (category < 0 || category > 12)
        return 0;
    if (name && *name && strcmp(name, "C") && strcmp(name, "POSIX"))
        return 0;
    return "C";
}
