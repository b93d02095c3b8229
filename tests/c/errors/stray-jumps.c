//@ error: 7:9 stray-break
//@ error: 10:9 stray-continue
//@ error: 12:5 stray-case
// break, continue and case outside of what they belong to.
int main(int argc, char **argv) {
    if (argc)
        break;
    switch (argc) {
    default:
        continue;
    }
    case 3:
    return 0;
}
