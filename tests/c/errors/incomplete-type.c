//@ error: 9 incomplete-type
//@ error: 10 incomplete-type
//@ error: 11 incomplete-type
// A struct that is only declared cannot be defined, measured or looked into.
struct hidden;
extern struct hidden *get(void);

int main(void) {
    struct hidden h;
    int size = sizeof(struct hidden);
    return get()->field + size;
}
