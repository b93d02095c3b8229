/* errno, one per thread, and the texts of its values in the C locale. */

static __thread int errno_value;

int *__errno_location(void)
{
    return &errno_value;
}

static const char *const messages[134] = {
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
    "Resource deadlock avoided",
    "File name too long",
    "No locks available",
    "Function not implemented",
    "Directory not empty",
    "Too many levels of symbolic links",
    0,
    "No message of desired type",
    "Identifier removed",
    "Channel number out of range",
    "Level 2 not synchronized",
    "Level 3 halted",
    "Level 3 reset",
    "Link number out of range",
    "Protocol driver not attached",
    "No CSI structure available",
    "Level 2 halted",
    "Invalid exchange",
    "Invalid request descriptor",
    "Exchange full",
    "No anode",
    "Invalid request code",
    "Invalid slot",
    0,
    "Bad font file format",
    "Device not a stream",
    "No data available",
    "Timer expired",
    "Out of streams resources",
    "Machine is not on the network",
    "Package not installed",
    "Object is remote",
    "Link has been severed",
    "Advertise error",
    "Srmount error",
    "Communication error on send",
    "Protocol error",
    "Multihop attempted",
    "RFS specific error",
    "Bad message",
    "Value too large for defined data type",
    "Name not unique on network",
    "File descriptor in bad state",
    "Remote address changed",
    "Can not access a needed shared library",
    "Accessing a corrupted shared library",
    ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries",
    "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character",
    "Interrupted system call should be restarted",
    "Streams pipe error",
    "Too many users",
    "Socket operation on non-socket",
    "Destination address required",
    "Message too long",
    "Protocol wrong type for socket",
    "Protocol not available",
    "Protocol not supported",
    "Socket type not supported",
    "Operation not supported",
    "Protocol family not supported",
    "Address family not supported by protocol",
    "Address already in use",
    "Cannot assign requested address",
    "Network is down",
    "Network is unreachable",
    "Network dropped connection on reset",
    "Software caused connection abort",
    "Connection reset by peer",
    "No buffer space available",
    "Transport endpoint is already connected",
    "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown",
    "Too many references: cannot splice",
    "Connection timed out",
    "Connection refused",
    "Host is down",
    "No route to host",
    "Operation already in progress",
    "Operation now in progress",
    "Stale file handle",
    "Structure needs cleaning",
    "Not a XENIX named type file",
    "No XENIX semaphores available",
    "Is a named type file",
    "Remote I/O error",
    "Disk quota exceeded",
    "No medium found",
    "Wrong medium type",
    "Operation canceled",
    "Required key not available",
    "Key has expired",
    "Key has been revoked",
    "Key was rejected by service",
    "Owner died",
    "State not recoverable",
    "Operation not possible due to RF-kill",
    "Memory page has hardware error",
};

/* Writes "Unknown error N" and returns its length. */
static int unknown_error(char *text, int number)
{
    const char *prefix = "Unknown error ";
    char digits[12];
    int count = 0;
    int length = 0;
    unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    while (prefix[length]) {
        text[length] = prefix[length];
        length++;
    }
    if (number < 0)
        text[length++] = '-';
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    while (count)
        text[length++] = digits[--count];
    text[length] = 0;
    return length;
}

static const char *message_of(int number)
{
    if (number < 0 || number >= 134)
        return 0;
    return messages[number];
}

char *strerror(int number)
{
    static __thread char unknown[32];
    const char *message = message_of(number);
    if (message)
        return (char *)message;
    unknown_error(unknown, number);
    return unknown;
}

/* The GNU form: the result need not be in `buffer`. */
char *strerror_r(int number, char *buffer, size_t size)
{
    char unknown[32];
    const char *message = message_of(number);
    size_t i;
    if (message)
        return (char *)message;
    unknown_error(unknown, number);
    for (i = 0; i + 1 < size && unknown[i]; i++)
        buffer[i] = unknown[i];
    if (size)
        buffer[i] = 0;
    return buffer;
}

/* The POSIX form. */
int __xpg_strerror_r(int number, char *buffer, size_t size)
{
    char unknown[32];
    const char *message = message_of(number);
    int result = 0;
    size_t i;
    if (!message) {
        unknown_error(unknown, number);
        message = unknown;
        result = EINVAL;
    }
    for (i = 0; i + 1 < size && message[i]; i++)
        buffer[i] = message[i];
    if (size)
        buffer[i] = 0;
    if (!result && message[i])
        result = ERANGE;
    return result;
}
