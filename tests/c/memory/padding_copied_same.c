//@ property: all verdict: safe
// Padding of a copy is the padding of its source, whatever that is; also through another copy, after the source has
// changed.
#include <assert.h>
#include <string.h>

struct padded {
    char tag;
    int value;
};

static struct padded global;

int main(void)
{
    struct padded source;
    source.tag = 1;
    source.value = 2;
    memcpy(&global, &source, sizeof source);
    assert(memcmp(&global, &source, sizeof source) == 0);
    struct padded last;
    memcpy(&last, &global, sizeof last);
    unsigned char before = ((unsigned char *)&source)[3];
    memset(&source, 0, sizeof source);
    assert(((unsigned char *)&last)[3] == before);
    return 0;
}

//@ known: explicit all unknown(cut)
