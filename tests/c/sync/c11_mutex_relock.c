//@ property: lock-misuse verdict: unsafe line: 11
//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,memory verdict: safe
// A plain mutex is not recursive.
#include <threads.h>

int main(void) {
    mtx_t m;
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    mtx_lock(&m);
    return 0;
}
