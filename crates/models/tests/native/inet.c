/* Internet addresses from text, right ones and nearly right ones. */
#include "native.h"
#include <arpa/inet.h>

#undef htons
#undef ntohl
MODEL(inet_pton); MODEL(htons); MODEL(ntohs); MODEL(htonl); MODEL(ntohl);

static void compare_text(int family, const char *text)
{
    unsigned char ours[16], theirs[16];
    memset(ours, '#', sizeof ours);
    memset(theirs, '#', sizeof theirs);
    int x = braid_inet_pton(family, text, ours);
    int y = inet_pton(family, text, theirs);
    if (x != y || (x == 1 && memcmp(ours, theirs, sizeof ours)))
        differ("inet_pton %d '%s': ours %d, theirs %d", family, text, x, y);
}

/* Groups and separators at random: most of the texts are addresses or differ in a character. */
static void random_address(char *to, int family)
{
    static const char *const groups[] = {"0", "1", "25", "255", "256", "00", "7", "ff", "fe80", "12345", "", "g"};
    unsigned parts = family == AF_INET ? 3 + any_below(3) : 1 + any_below(9);
    *to = 0;
    for (unsigned i = 0; i < parts; i++) {
        if (i)
            strcat(to, any_below(12) ? (family == AF_INET ? "." : ":") : "::");
        strcat(to, groups[any_below(any_below(6) ? 9 : 12)]);
    }
    if (family == AF_INET6 && !any_below(3))
        strcat(to, any_below(2) ? ":1.2.3.4" : "::10.0.0.300");
    if (!any_below(6))
        to[any_below((unsigned)strlen(to) + 1)] = "0:.x"[any_below(4)];
}

void compare_inet(void)
{
    char text[128] = {0};
    for (int i = 0; i < 100000; i++) {
        int family = any_below(2) ? AF_INET : AF_INET6;
        memset(text, 0, sizeof text);
        random_address(text, family);
        compare_text(family, text);
        unsigned number = (unsigned)any();
        if (braid_htonl(number) != htonl(number) || braid_ntohl(number) != ntohl(number)
            || braid_htons((unsigned short)number) != htons((unsigned short)number)
            || braid_ntohs((unsigned short)number) != ntohs((unsigned short)number))
            differ("byte order of %u", number);
    }
}
