inline int add_one(int x) { return x + 1; }
static inline int twice(int x) { return add_one(x) + x - 1; }
static inline int counted(void) {
    static int calls;
    return ++calls;
}
int other_counted(void);
