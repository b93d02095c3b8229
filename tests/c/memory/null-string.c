//@ property: null-deref verdict: unsafe line: 9
// A library function given a null pointer: the place is the call in the program.
#include <string.h>

static const char *find(const char *key) { return *key == 'a' ? "found" : NULL; }

int main(void) {
    size_t n = strlen(find("a"));
    n += strlen(find("b"));
    return n;
}
