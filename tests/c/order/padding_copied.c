//@ property: assertion verdict: unsafe line: 28
// A struct copy takes padding along: it may hold anything, but what it holds is the same in both places.
#include <assert.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct padded {
    char tag;
    int value;
};

int main(void)
{
    struct padded source, copy, other;
    source.tag = 1;
    source.value = 2;
    memcpy(&copy, &source, sizeof copy);
    if (__VERIFIER_nondet_int())
        other = copy;
    else
        other = source;
    unsigned char *bytes = (unsigned char *)&source;
    unsigned char *copied = (unsigned char *)&copy;
    for (int i = 0; i < (int)sizeof source; i++)
        assert(bytes[i] == copied[i]);
    bytes = (unsigned char *)&other;
    assert(bytes[2] != 77);
    return 0;
}
