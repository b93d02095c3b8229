//@ part
int shared;
int initialised_elsewhere = 42;
long grows[2];

int bump(void) {
    grows[1] = 7;
    return ++shared;
}
