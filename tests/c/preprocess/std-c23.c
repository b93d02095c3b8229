//@ property: all verdict: safe
//@ flags: --std=c23
// The words of C23: gcc 12 knows most of them only as the names of macros.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

constexpr int size = 2 * 2;
static int table[size] = {1, 2, 3, 4};
static thread_local int own = 7;
alignas(16) static char aligned[3];
static_assert(size == 4);
static_assert(alignof(double) == 8, "as ever");

static bool is_even(int n) { return n % 2 == 0 ? true : false; }
static int count(const int *list) {
    if (list == nullptr)
        return 0;
    return size;
}

int main(void) {
    auto total = 0L;
    constexpr unsigned step = 1'000u;
    int grid[step / 500][size] = {};
    for (auto i = 0; i < size; i++)
        total += table[i];
    typeof(total) copy = total;
    typeof_unqual(own) plain = own;
    switch (plain) {
    case size + 3:
        copy += 0b11;
        break;
    default:
        assert(false);
    }
    [[maybe_unused]] int unused;
    assert(copy == 13 && sizeof total == sizeof(long) && sizeof(true) == 1);
    assert(is_even(4) == true && !is_even(3));
    assert(count(nullptr) == 0 && count(table) == 4);
    assert(grid[1][3] == 0 && (size_t)aligned % 16 == 0);
    return 0;
}
