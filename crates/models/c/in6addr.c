/* The addresses of IPv6 that have names, in network byte order. */

const unsigned in6addr_any[4] = {0, 0, 0, 0};
const unsigned in6addr_loopback[4] = {0, 0, 0, 0x01000000};
