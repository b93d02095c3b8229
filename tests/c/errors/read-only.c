//@ error: 14 read-only
//@ error: 15 read-only
//@ error: 16 read-only
//@ error: 17 read-only
// Writing what is const: a variable, a pointee, a pointer, a member of a const struct.
struct s { int x; const int fixed; };

int main(void) {
    const int limit = 5;
    int v = 1;
    const int *view = &v;
    int *const fixed = &v;
    const struct s s = {1, 2};
    limit = 6;
    *view = 2;
    fixed = 0;
    s.x++;
    return v;
}
