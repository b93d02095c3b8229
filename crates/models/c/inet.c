/* Byte order, and internet addresses as text. The machine is little-endian. */

static unsigned short swapped16(unsigned short value)
{
    return (unsigned short)(value << 8 | value >> 8);
}

static unsigned swapped32(unsigned value)
{
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

unsigned short htons(unsigned short value)
{
    return swapped16(value);
}

unsigned short ntohs(unsigned short value)
{
    return swapped16(value);
}

unsigned htonl(unsigned value)
{
    return swapped32(value);
}

unsigned ntohl(unsigned value)
{
    return swapped32(value);
}

/* Four decimal numbers with dots between, no leading zeros; 1 if `text` is that. */
static int read_four(const char *text, unsigned char *bytes)
{
    int i;
    for (i = 0; i < 4; i++) {
        int number = 0;
        int digits = 0;
        if (i && *text++ != '.')
            return 0;
        while (*text >= '0' && *text <= '9') {
            if (digits && !number)
                return 0;
            number = number * 10 + (*text++ - '0');
            digits++;
            if (number > 255)
                return 0;
        }
        if (!digits)
            return 0;
        bytes[i] = (unsigned char)number;
    }
    return !*text;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Eight hexadecimal groups with colons between; once, "::" stands for the zeros that are missing, and the
   last two groups may be an IPv4 address. */
static int read_eight(const char *text, unsigned char *bytes)
{
    int filled = 0;
    int gap = -1;
    int i;
    if (*text == ':') {
        if (text[1] != ':')
            return 0;
        text++;
    }
    for (;;) {
        const char *group = text;
        int value = 0;
        int digits = 0;
        if (*text == ':') {
            /* The second of two colons. */
            if (gap >= 0)
                return 0;
            gap = filled;
            text++;
            if (!*text)
                break;
            continue;
        }
        while (hex_digit(*text) >= 0) {
            value = value << 4 | hex_digit(*text++);
            if (++digits > 4)
                return 0;
        }
        if (*text == '.') {
            if (filled > 12 || !read_four(group, bytes + filled))
                return 0;
            filled += 4;
            break;
        }
        if (!digits || filled == 16)
            return 0;
        bytes[filled++] = (unsigned char)(value >> 8);
        bytes[filled++] = (unsigned char)value;
        if (!*text)
            break;
        if (*text++ != ':' || !*text)
            return 0;
    }
    if (gap >= 0) {
        int tail = filled - gap;
        if (filled == 16)
            return 0;
        for (i = 1; i <= tail; i++) {
            bytes[16 - i] = bytes[gap + tail - i];
            bytes[gap + tail - i] = 0;
        }
        for (i = gap; i < 16 - tail; i++)
            bytes[i] = 0;
        filled = 16;
    }
    return filled == 16;
}

int inet_pton(int family, const char *text, void *address)
{
    unsigned char bytes[16];
    unsigned char *to = address;
    int length = family == 2 ? 4 : 16;
    int i;
    if (family != 2 && family != 10) {
        *__errno_location() = EAFNOSUPPORT;
        return -1;
    }
    if (!(family == 2 ? read_four(text, bytes) : read_eight(text, bytes)))
        return 0;
    for (i = 0; i < length; i++)
        to[i] = bytes[i];
    return 1;
}
