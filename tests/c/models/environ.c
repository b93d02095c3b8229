//@ run: gcc
//@ model: environ getenv setenv putenv unsetenv clearenv
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void show(const char *name)
{
    const char *value = getenv(name);
    printf("%s: %s\n", name, value ? value : "(none)");
}

int main(void)
{
    char own[] = "OWN=first";
    clearenv();
    show("A");
    printf("%d\n", setenv("A", "1", 0));
    printf("%d\n", setenv("AB", "2", 0));
    show("A");
    show("AB");
    setenv("A", "other", 0);
    show("A");
    setenv("A", "longer than before", 1);
    show("A");
    putenv(own);
    show("OWN");
    own[4] = 'F';
    show("OWN");
    for (char **each = environ; *each; each++)
        puts(*each);
    unsetenv("A");
    show("A");
    show("AB");
    putenv("AB");
    show("AB");
    printf("%d\n", setenv("", "x", 1));
    printf("%d\n", unsetenv("a=b"));
    clearenv();
    printf("%d\n", environ == NULL);
    setenv("NEW", "", 1);
    show("NEW");
    return 0;
}
