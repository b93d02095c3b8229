//@ property: all verdict: safe
//@ run: gcc
//@ model: htons ntohs htonl ntohl inet_pton
// Byte order, and internet addresses from text.
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>

static void show(int family, const char *text) {
    unsigned char bytes[16] = {0};
    int result = inet_pton(family, text, bytes);
    printf("%s: %d", text, result);
    for (int i = 0; result == 1 && i < (family == AF_INET ? 4 : 16); i++)
        printf(" %02x", bytes[i]);
    printf("\n");
}

int main(void) {
    volatile unsigned short s = 0x1234;
    volatile unsigned l = 0x12345678;
    printf("%x %x %x %x\n", htons(s), ntohs(s), htonl(l), ntohl(l));
    show(AF_INET, "127.0.0.1");
    show(AF_INET, "255.255.255.255");
    show(AF_INET, "1.2.3");
    show(AF_INET, "1.2.3.256");
    show(AF_INET, "1.2.3.04");
    show(AF_INET, "1.2.3.4 ");
    show(AF_INET, "");
    show(AF_INET6, "::");
    show(AF_INET6, "::1");
    show(AF_INET6, "fe80::1:2");
    show(AF_INET6, "1:2:3:4:5:6:7:8");
    show(AF_INET6, "1:2:3:4:5:6:7");
    show(AF_INET6, "1:2:3:4:5:6:7::");
    show(AF_INET6, "1::2::3");
    show(AF_INET6, "::ffff:192.0.2.1");
    show(AF_INET6, "12345::");
    show(AF_INET6, ":1");
    show(AF_INET6, "1:");
    show(AF_INET6, "g::");
    errno = 0;
    char room[4];
    printf("%d", inet_pton(99, "1.2.3.4", room));
    printf(" %d\n", errno == EAFNOSUPPORT);
    return 0;
}
