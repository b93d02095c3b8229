/* Declarations every model text begins with. It is read by Braid's own parser without a
   preprocessor, for LP64 and ILP32 alike: `unsigned long` has the width of a pointer in both.
   What is declared here and is not an operation is defined by one of the texts; names that are not
   the C library's own begin with __braid_. */

typedef unsigned long size_t;
typedef long ssize_t;
typedef __builtin_va_list va_list;

/* Operations (see `Op`). */
void *__braid_alloc(size_t size, size_t align, int zeroed);
_Bool __braid_alloc_fails(void);
_Bool __braid_spurious_wakeup(void);
_Bool __braid_call_fails(void);
int __braid_random_int(void);
long long __braid_random_long_long(void);
void __braid_free(void *block);
size_t __braid_object_size(const void *object);
void *__braid_copy(void *to, const void *from, size_t length);
void *__braid_move(void *to, const void *from, size_t length);
void *__braid_fill(void *to, int byte, size_t length);
void __braid_output(int stream, int byte);
int __braid_input(void);
void __braid_exit(int code) __attribute__((noreturn));
void __braid_abort(void) __attribute__((noreturn));
void __braid_assert(int condition);
void __braid_assume(int condition);
long __braid_clock_long(void);
unsigned char __braid_value_byte(void);
_Bool __braid_value_bool(void);
unsigned long long __braid_value_wide(void);
int __braid_value_int(void);
long __braid_value_long(void);
unsigned long __braid_spawn(void *(*function)(void *), void *argument);
void *__braid_join(unsigned long handle);
void __braid_detach(unsigned long handle);
int __braid_other_mutex(void *word, void *mutex);
int __braid_claim(unsigned long handle);
int __braid_thread_state(unsigned long handle);
int __braid_thread_life(unsigned long handle);
void __braid_thread_misuse(unsigned long handle, const char *text);
void __braid_lock(void *mutex);
int __braid_trylock(void *mutex);
void __braid_unlock(void *mutex);
void __braid_atomic_begin(void);
void __braid_atomic_begin_when(int condition);
void __braid_atomic_end(void);
unsigned long __braid_self(void);
int __braid_self_number(void);
unsigned long long __braid_forget(unsigned long long value);
void __braid_exit_thread(void *value) __attribute__((noreturn));
int __braid_shadow_load(const void *address);
void __braid_shadow_store(void *address, int value);
_Bool __braid_wake(void);
void __braid_lock_misuse(const void *object, const char *text);
int __braid_uses_keys(void);
int __braid_uses_key_deletion(void);
int __braid_uses_detach(void);
int __braid_uses_cancel(void);
int __braid_uses_sem_destroy(void);
int __braid_uses_zone(void);
int __braid_uses_files(void);
int __braid_uses_ferror(void);
void __braid_too_many_waiters(void) __attribute__((noreturn));
void __braid_too_many_keys(void) __attribute__((noreturn));
void __braid_too_many_cleanups(void) __attribute__((noreturn));
void __braid_too_many_cancelled(void) __attribute__((noreturn));
void __braid_asynchronous_cancel(void) __attribute__((noreturn));
void __braid_cancelled_join(void) __attribute__((noreturn));
void __braid_cancelled_stream(void) __attribute__((noreturn));
void __braid_default_stack_size(void) __attribute__((noreturn));
void __braid_too_many_readers(void) __attribute__((noreturn));
void __braid_writers_first(void) __attribute__((noreturn));
void __braid_main_ends_early(void) __attribute__((noreturn));
int __braid_has_exit_handlers(void);
void __braid_other_locale(void);
void __braid_other_environment(void) __attribute__((noreturn));
void __braid_robust_mutex(void) __attribute__((noreturn));
void __braid_no_thread(void) __attribute__((noreturn));
void __braid_never_initialised(void) __attribute__((noreturn));
/* What destroying a synchronisation object leaves in a word of it that is otherwise known. */
enum { __braid_destroyed = -559038737 };
void __braid_thread_signal(void) __attribute__((noreturn));
void __braid_too_many_files(void) __attribute__((noreturn));
void __braid_reads_file(void) __attribute__((noreturn));
void __braid_closed_stream(void) __attribute__((noreturn));
void __braid_closes_standard_stream(void) __attribute__((noreturn));
void __braid_unknown_thread_name(void) __attribute__((noreturn));
void __braid_too_many_jumps(void) __attribute__((noreturn));
void __braid_system_call(void) __attribute__((noreturn));
void __braid_futex_operation(void) __attribute__((noreturn));
void __braid_polls_files(void) __attribute__((noreturn));
void __braid_too_many_applications(void) __attribute__((noreturn));

/* errno, and its values that the texts use. */
int *__errno_location(void);
enum {
    EPERM = 1,
    ENOENT = 2,
    ESRCH = 3,
    EINTR = 4,
    EBADF = 9,
    EAGAIN = 11,
    ENOMEM = 12,
    EACCES = 13,
    EBUSY = 16,
    EINVAL = 22,
    EMFILE = 24,
    ENOSPC = 28,
    EDOM = 33,
    ERANGE = 34,
    EDEADLK = 35,
    EOVERFLOW = 75,
    EILSEQ = 84,
    ENOTSUP = 95,
    EAFNOSUPPORT = 97,
    ETIMEDOUT = 110
};

/* What the texts use of each other. */
void *malloc(size_t size);
void *realloc(void *block, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
char *strerror(int number);
int strcmp(const char *a, const char *b);
int memcmp(const void *a, const void *b, size_t length);
int toupper(int c);
int tolower(int c);
int isspace(int c);
void abort(void) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void __braid_plain_exit(int status) __attribute__((noreturn));
int __cxa_atexit(void (*function)(void *), void *argument, void *library);

/* A stream; `fd` is 0, 1 or 2 for the standard ones, 3 and more for files, -1 for one that is closed. `back` holds
   bytes pushed back, the last one first to come. */
struct __braid_file {
    int fd;
    int error;
    int ended;
    int pushed;
    int read_only;
    /* Somebody has printed or read; kept only where somebody asks for errors. */
    int used;
    unsigned char back[16];
};
extern struct __braid_file *stdin;
extern struct __braid_file *stdout;
extern struct __braid_file *stderr;
/* Not zero where somebody reads the output. */
extern int __braid_output_is_read;
int __braid_put(struct __braid_file *file, int byte);
int __braid_get(struct __braid_file *file);
int __braid_unget(struct __braid_file *file, int byte);

/* A variable argument list that can be passed on by reference whatever kind of type va_list is. */
struct __braid_args {
    va_list list;
};

/* Where formatted text goes: a stream, or the first `room` bytes of `text`. `length` counts all; `owed` is zero, but
   owes to addresses what the length does. */
struct __braid_sink {
    struct __braid_file *file;
    char *text;
    size_t room;
    size_t length;
    size_t owed;
};
/* A conversion specification of the printf family; width and precision are -1 if not given. */
struct __braid_spec {
    int left;
    int plus;
    int space;
    int alternative;
    int zero;
    int width;
    int precision;
    int size;
    int conversion;
    int argument;
    int width_argument;
    int precision_argument;
};
void __braid_emit(struct __braid_sink *sink, int byte);
void __braid_emit_times(struct __braid_sink *sink, int byte, long count);
void __braid_format_double(struct __braid_sink *sink, struct __braid_spec *spec, double value);
int __braid_format(struct __braid_sink *sink, const char *format, struct __braid_args *args);
void __braid_odd_stream(void);
void __braid_format_nothing(const char *format, struct __braid_args *args);
int __braid_format_stream(struct __braid_file *file, const char *format, struct __braid_args *args);
int __braid_format_text(char *text, size_t size, const char *format, struct __braid_args *args);
int __braid_scan_stream(struct __braid_file *file, const char *format, struct __braid_args *args);
int __braid_scan_text(const char *text, const char *format, struct __braid_args *args);

/* An unsigned decimal number: base-1e9 words, those before index 40 the integer part. Words
   [first, last) are in use and first <= 40 <= last; `sticky` says that more digits follow. */
struct __braid_decimal {
    int first;
    int last;
    int sticky;
    unsigned word[220];
};
void __braid_decimal_clear(struct __braid_decimal *d);
void __braid_decimal_scale(struct __braid_decimal *d, int exponent);
void __braid_decimal_from(struct __braid_decimal *d, unsigned long long mantissa, int exponent);
int __braid_decimal_digit(struct __braid_decimal *d, int position);
void __braid_decimal_set_digit(struct __braid_decimal *d, int position, int digit);
int __braid_decimal_leading(struct __braid_decimal *d);
void __braid_decimal_round(struct __braid_decimal *d, int position);

unsigned long long __braid_double_bits(double value);
double __braid_double_from_bits(unsigned long long bits);
double __braid_parse_double(const char *text, char **end);
float __braid_parse_float(const char *text, char **end);

/* Threads. The state of a synchronisation object lies in the shadow of its bytes, `int` by `int`. */
struct __braid_timespec {
    long seconds;
    long nanoseconds;
};
/* The attributes of a thread to be, in the bytes of pthread_attr_t. */
struct __braid_thread_attr {
    int detached;
    int scope;
    int inherit;
    int policy;
    int priority;
    unsigned long stack_size;
    unsigned long guard_size;
};
int __braid_is_time(const struct __braid_timespec *time);
void __braid_on_thread_end(void (*function)(void));
int *__braid_cancel_flag(void);
int __braid_own_slot(int taken);
/* glibc's struct __pthread_cleanup_frame. */
struct __braid_cleanup {
    void (*routine)(void *);
    void *argument;
    int wanted;
};
void __braid_cleanup_push(void *frame);
void __braid_cleanup_pop(void);
void pthread_testcancel(void);
void __braid_may_be_cancelled(void);
int pthread_create(unsigned long *thread, const void *attr, void *(*routine)(void *), void *argument);
int pthread_join(unsigned long thread, void **value);
int pthread_detach(unsigned long thread);
void pthread_exit(void *value) __attribute__((noreturn));
int pthread_mutex_init(void *mutex, const int *attr);
int pthread_mutex_destroy(void *mutex);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_trylock(void *mutex);
int pthread_mutex_timedlock(void *mutex, const struct __braid_timespec *time);
int pthread_mutex_unlock(void *mutex);
int pthread_cond_init(void *cond, const int *attr);
int pthread_cond_destroy(void *cond);
int pthread_cond_wait(void *cond, void *mutex);
int pthread_cond_timedwait(void *cond, void *mutex, const struct __braid_timespec *time);
int pthread_cond_signal(void *cond);
int pthread_cond_broadcast(void *cond);
int pthread_once(int *once, void (*routine)(void));
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);
int sched_yield(void);
int __braid_is_file(int fd);
int __braid_new_descriptor(int *error);
struct signal_set;
int sigdelset(struct signal_set *set, int number);
