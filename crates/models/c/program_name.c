/* The name by which the program was called, and its part after the last slash. */

char *program_invocation_name = 0;
char *program_invocation_short_name = 0;

/* Called before everything else, with argv[0]. */
void __braid_name_program(char *name)
{
    char *part = name;
    program_invocation_name = name;
    for (; *name; name++)
        if (*name == '/')
            part = name + 1;
    program_invocation_short_name = part;
}
