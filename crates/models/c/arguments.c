/* Arbitrary program arguments, for `--args any`. */

/* The number of arguments, the program's name included; at most `most` if that is not 0. */
int __braid_any_count(int most)
{
    int count = __braid_value_int();
    if (count < 1)
        count = 1;
    if (most)
        __braid_assume(count <= most);
    return count;
}
