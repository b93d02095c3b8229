//@ property: all verdict: safe
//@ exit: 1
//@ model: read
// The loop that short reads ask for.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    char bytes[2];
    ssize_t have = 0;
    while (have < 2) {
        ssize_t count = read(0, bytes + have, 2 - have);
        if (count <= 0)
            return 1;
        assert(count <= 2 - have);
        have += count;
    }
    return 0;
}

//@ known: explicit all unknown(cut)
