/* getopt and getopt_long, as glibc has them: options may follow other arguments, which move to the end. What is
   kept between two calls is memory that threads can race on. */

int fprintf(struct __braid_file *file, const char *format, ...);
char *strchr(const char *text, int c);
int strncmp(const char *a, const char *b, size_t length);

char *optarg = 0;
int optind = 1;
int opterr = 1;
int optopt = '?';

enum { PERMUTE, REQUIRE_ORDER, RETURN_IN_ORDER };

/* The rest of an argument with several options, how arguments are ordered, the arguments that were passed over
   (argv[first] up to argv[last]), and the last option that was wrong, which every call copies to optopt. */
static struct {
    char *next;
    int ready;
    int ordering;
    int first;
    int last;
    int option;
} getopt_state;

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

static int is_option(const char *text)
{
    return text[0] == '-' && text[1];
}

/* Moves what was passed over behind the options that came since. */
static void exchange(char **argv)
{
    int first = getopt_state.first;
    int last = getopt_state.last;
    int i;
    for (i = last; i < optind; i++) {
        char *option = argv[i];
        int k;
        for (k = i; k > first; k--)
            argv[k] = argv[k - 1];
        argv[first++] = option;
    }
    getopt_state.first += optind - last;
    getopt_state.last = optind;
}

static const char *begin(const char *options)
{
    int mode = *options == '-' ? RETURN_IN_ORDER : *options == '+' ? REQUIRE_ORDER : PERMUTE;
    if (!optind || !getopt_state.ready) {
        if (!optind)
            optind = 1;
        getopt_state.first = optind;
        getopt_state.last = optind;
        getopt_state.next = 0;
        getopt_state.ordering = mode;
        getopt_state.ready = 1;
    }
    return mode == PERMUTE ? options : options + 1;
}

/* Finds the next argument that is an option; 0 if it is none, and -1 at the end. */
static int next_argument(int argc, char **argv)
{
    if (getopt_state.last > optind)
        getopt_state.last = optind;
    if (getopt_state.first > optind)
        getopt_state.first = optind;
    if (getopt_state.ordering == PERMUTE) {
        if (getopt_state.first != getopt_state.last && getopt_state.last != optind)
            exchange(argv);
        else if (getopt_state.last != optind)
            getopt_state.first = optind;
        while (optind < argc && !is_option(argv[optind]))
            optind++;
        getopt_state.last = optind;
    }
    if (optind != argc && !strcmp(argv[optind], "--")) {
        optind++;
        if (getopt_state.first != getopt_state.last && getopt_state.last != optind)
            exchange(argv);
        else if (getopt_state.first == getopt_state.last)
            getopt_state.first = optind;
        getopt_state.last = argc;
        optind = argc;
    }
    if (optind == argc) {
        if (getopt_state.first != getopt_state.last)
            optind = getopt_state.first;
        return -1;
    }
    if (is_option(argv[optind]))
        return 1;
    return getopt_state.ordering == REQUIRE_ORDER ? -1 : 0;
}

/* The long option that `name`, up to `length`, stands for: the index, -1 if there is none, -2 if there are several. */
static int find_long(const struct option *list, const char *name, size_t length, int only)
{
    int found = -1;
    int i;
    for (i = 0; list[i].name; i++) {
        if (strncmp(list[i].name, name, length))
            continue;
        if (strlen(list[i].name) == length)
            return i;
        if (found < 0)
            found = i;
        else if (only || list[found].has_arg != list[i].has_arg || list[found].flag != list[i].flag ||
                 list[found].val != list[i].val)
            found = -2;
        if (found == -2)
            break;
    }
    return found;
}

/* An exact name may come after abbreviations that are ambiguous. */
static int exact_long(const struct option *list, const char *name, size_t length)
{
    int i;
    for (i = 0; list[i].name; i++)
        if (!strncmp(list[i].name, name, length) && strlen(list[i].name) == length)
            return i;
    return -1;
}

struct how {
    const struct option *list;
    int *index;
    int only;
    int quiet;
    int colon;
};

static int long_option(int argc, char **argv, const struct how *how, const char *dashes, char *name)
{
    char *end = name;
    size_t length;
    int index;
    const struct option *option;
    while (*end && *end != '=')
        end++;
    length = (size_t)(end - name);
    index = exact_long(how->list, name, length);
    if (index < 0)
        index = find_long(how->list, name, length, how->only);
    optind++;
    getopt_state.next = 0;
    if (index < 0) {
        if (!how->quiet && index == -1)
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], dashes, name);
        if (!how->quiet && index == -2) {
            int i;
            fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv[0], dashes, name);
            for (i = 0; how->list[i].name; i++)
                if (!strncmp(how->list[i].name, name, length))
                    fprintf(stderr, " '%s%s'", dashes, how->list[i].name);
            fprintf(stderr, "\n");
        }
        getopt_state.option = 0;
        return '?';
    }
    option = &how->list[index];
    if (*end) {
        if (!option->has_arg) {
            if (!how->quiet)
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], dashes, option->name);
            getopt_state.option = option->val;
            return '?';
        }
        optarg = end + 1;
    } else if (option->has_arg == 1) {
        if (optind == argc) {
            if (!how->quiet)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], dashes, option->name);
            getopt_state.option = option->val;
            return how->colon ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (how->index)
        *how->index = index;
    if (option->flag) {
        *option->flag = option->val;
        return 0;
    }
    return option->val;
}

static int short_option(int argc, char **argv, const char *options, const struct how *how)
{
    char c = *getopt_state.next++;
    const char *known = c == ':' || c == ';' ? 0 : strchr(options, c);
    if (!*getopt_state.next)
        optind++;
    if (!known) {
        if (!how->quiet)
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        getopt_state.option = c;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && how->list) {
        char *name = getopt_state.next;
        if (!*name) {
            if (optind == argc) {
                if (!how->quiet)
                    fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
                getopt_state.option = c;
                return how->colon ? ':' : '?';
            }
            name = argv[optind];
        }
        return long_option(argc, argv, how, "-W ", name);
    }
    if (known[1] != ':')
        return c;
    if (*getopt_state.next) {
        optarg = getopt_state.next;
        optind++;
    } else if (known[2] == ':') {
        optarg = 0;
    } else if (optind == argc) {
        if (!how->quiet)
            fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
        getopt_state.option = c;
        c = how->colon ? ':' : '?';
    } else {
        optarg = argv[optind++];
    }
    getopt_state.next = 0;
    return c;
}

static int parse_option(int argc, char **argv, const char *options, struct how how)
{
    optarg = 0;
    options = begin(options);
    how.colon = *options == ':';
    how.quiet = !opterr || how.colon;
    if (!getopt_state.next || !*getopt_state.next) {
        int found = next_argument(argc, argv);
        char *text;
        if (found < 0)
            return -1;
        text = argv[optind];
        if (!found) {
            optarg = text;
            optind++;
            return 1;
        }
        if (how.list) {
            if (text[1] == '-')
                return long_option(argc, argv, &how, "--", text + 2);
            /* A single letter that is a short option is one. */
            if (how.only && (text[2] || !strchr(options, text[1]))) {
                size_t length = 1;
                while (text[length] && text[length] != '=')
                    length++;
                if (exact_long(how.list, text + 1, length - 1) >= 0 ||
                    find_long(how.list, text + 1, length - 1, 1) != -1 || !strchr(options, text[1]))
                    return long_option(argc, argv, &how, "-", text + 1);
            }
        }
        getopt_state.next = text + 1;
    }
    return short_option(argc, argv, options, &how);
}

static int next_option(int argc, char **argv, const char *options, struct how how)
{
    int result;
    if (argc < 1)
        return -1;
    result = parse_option(argc, argv, options, how);
    optopt = getopt_state.option;
    return result;
}

int getopt(int argc, char **argv, const char *options)
{
    struct how how = {0, 0, 0, 0, 0};
    return next_option(argc, argv, options, how);
}

int __posix_getopt(int argc, char **argv, const char *options)
{
    struct how how = {0, 0, 0, 0, 0};
    if (!optind || !getopt_state.ready)
        (void)begin("+");
    return next_option(argc, argv, options, how);
}

int getopt_long(int argc, char **argv, const char *options, const struct option *list, int *index)
{
    struct how how = {list, index, 0, 0, 0};
    return next_option(argc, argv, options, how);
}

int getopt_long_only(int argc, char **argv, const char *options, const struct option *list, int *index)
{
    struct how how = {list, index, 1, 0, 0};
    return next_option(argc, argv, options, how);
}
