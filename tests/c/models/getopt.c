//@ run: gcc
//@ model: getopt optarg optind opterr optopt
#include <stdio.h>
#include <unistd.h>

static void parse(int argc, char **argv, const char *options)
{
    int c;
    optind = 0;
    printf("-- %s\n", options);
    while ((c = getopt(argc, argv, options)) != -1)
        printf("%d '%c' arg %s ind %d\n", c, c < 32 ? '.' : c, optarg ? optarg : "-", optind);
    printf("left:");
    for (int i = optind; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

int main(void)
{
    char *mixed[] = {"prog", "one", "-a", "-bvalue", "two", "-b", "next", "-ca", "--", "-a", "three", 0};
    char *ordered[] = {"prog", "-a", "one", "-b", "x", 0};
    char *inline_[] = {"prog", "one", "-a", "two", "-", "-c", "--", "last", 0};
    char *optional[] = {"prog", "-ovalue", "-o", "value", 0};
    char *wrong[] = {"prog", "-x", "-b", 0};
    char *none[] = {"prog", 0};
    printf("%d %d '%c' %d\n", optind, opterr, optopt, optarg == NULL);
    parse(11, mixed, "ab:c");
    parse(5, ordered, "+ab:");
    parse(8, inline_, "-ac");
    parse(4, optional, "o::");
    parse(3, wrong, ":ab:");
    printf("%c\n", optopt);
    opterr = 0;
    parse(3, wrong, "ab:");
    printf("%c\n", optopt);
    parse(1, none, "a");
    return 0;
}
