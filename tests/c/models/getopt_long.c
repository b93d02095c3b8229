//@ run: gcc
//@ model: getopt_long getopt_long_only
#include <getopt.h>
#include <stdio.h>

static int flag;
static const struct option options[] = {
    {"verbose", no_argument, &flag, 7},    {"file", required_argument, 0, 'f'}, {"color", optional_argument, 0, 'c'},
    {"version", no_argument, 0, 'V'},      {"list", no_argument, 0, 'l'},       {0, 0, 0, 0},
};

static void parse(int argc, char **argv, const char *shorts, int only)
{
    int c, index = -1;
    optind = 0;
    flag = 0;
    while ((c = only ? getopt_long_only(argc, argv, shorts, options, &index)
                     : getopt_long(argc, argv, shorts, options, &index)) != -1) {
        printf("%d %s index %d flag %d opt %d\n", c, optarg ? optarg : "-", index, flag, optopt);
        index = -1;
    }
    for (int i = optind; i < argc; i++)
        printf("left %s\n", argv[i]);
}

int main(void)
{
    char *good[] = {"prog", "x", "--verbose", "--file=a", "--file", "b", "y", "--fi", "c", "-f", "d", "--color", "--color=red", "-l", "--", "--list", 0};
    char *bad[] = {"prog", "--ver", "--list=1", "--nothing", "--file", 0};
    char *only[] = {"prog", "-file", "a", "-l", "-color=x", 0};
    parse(16, good, "f:l", 0);
    parse(5, bad, "f:", 0);
    parse(5, only, "f:l", 1);
    return 0;
}
