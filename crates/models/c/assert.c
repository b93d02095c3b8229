/* What a failed assertion does when failing assertions are not checked: it says so and aborts. The
   real message begins with the name of the program, which is not known here. */

int fprintf(struct __braid_file *file, const char *format, ...);

void __braid_assert_failed(const char *condition, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "%s:%u: %s%sAssertion `%s' failed.\n", file, line, function ? function : "",
            function ? ": " : "", condition);
    abort();
}

void __braid_assert_failed_old(const char *condition, const char *file, int line)
{
    __braid_assert_failed(condition, file, (unsigned)line, 0);
}

void __braid_assert_perror_failed(int number, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "%s:%u: %s%sUnexpected error: %s.\n", file, line, function ? function : "",
            function ? ": " : "", strerror(number));
    abort();
}

/* Without the header `assert` is a function; verification programs also have one of their own. */
void assert(long condition)
{
    if (!condition) {
        __braid_assert(0);
        abort();
    }
}

void __VERIFIER_assert(long condition)
{
    assert(condition);
}
