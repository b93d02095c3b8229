//@ error: 11 duplicate-case
//@ error: 15 duplicate-case
//@ error: 19 duplicate-case
// Equal values, a range that overlaps, a second default.
int main(int argc, char **argv) {
    switch (argc) {
    case 1:
        return 1;
    case 'A':
        return 2;
    case 65:
        return 3;
    case 10 ... 20:
        return 4;
    case 15:
        return 5;
    default:
        return 6;
    default:
        return 7;
    }
}
