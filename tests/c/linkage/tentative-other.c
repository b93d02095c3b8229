//@ part
extern int shared, array[];
extern int (*hook)(int);
extern struct s { int a, b; } record;
static int own = 100;

static int add_own(int x) { return x + own; }
int bump(void) {
    array[0]++;
    array[3] = 9;
    record.b = 3;
    hook = add_own;
    return ++shared;
}
