//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
//@ model: __atomic_load_1 __atomic_store_1 __atomic_exchange_1 __atomic_compare_exchange_1
//@ model: __atomic_fetch_add_1 __atomic_fetch_sub_1 __atomic_fetch_and_1 __atomic_fetch_or_1
//@ model: __atomic_fetch_xor_1 __atomic_fetch_nand_1 __atomic_load_2 __atomic_store_2
//@ model: __atomic_exchange_2 __atomic_compare_exchange_2 __atomic_fetch_add_2 __atomic_fetch_sub_2
//@ model: __atomic_fetch_and_2 __atomic_fetch_or_2 __atomic_fetch_xor_2 __atomic_fetch_nand_2
//@ model: __atomic_load_4 __atomic_store_4 __atomic_exchange_4 __atomic_compare_exchange_4
//@ model: __atomic_fetch_add_4 __atomic_fetch_sub_4 __atomic_fetch_and_4 __atomic_fetch_or_4
//@ model: __atomic_fetch_xor_4 __atomic_fetch_nand_4 __atomic_load_8 __atomic_store_8
//@ model: __atomic_exchange_8 __atomic_compare_exchange_8 __atomic_fetch_add_8 __atomic_fetch_sub_8
//@ model: __atomic_fetch_and_8 __atomic_fetch_or_8 __atomic_fetch_xor_8 __atomic_fetch_nand_8
// The library's form of the atomic operations, for each size.
#include <assert.h>
#include <stdint.h>

#define CHECK(SIZE, T)                                                                   \
    static void check_##SIZE(void) {                                                     \
        T x = 5, expected = 9;                                                           \
        __atomic_store_##SIZE(&x, 7, 5);                                                 \
        assert(__atomic_load_##SIZE(&x, 5) == 7);                                        \
        assert(__atomic_exchange_##SIZE(&x, 12, 5) == 7);                                \
        assert(!__atomic_compare_exchange_##SIZE(&x, &expected, 1, 0, 5, 5));            \
        assert(expected == 12);                                                          \
        assert(__atomic_compare_exchange_##SIZE(&x, &expected, (T)-1, 0, 5, 5));         \
        assert(__atomic_fetch_add_##SIZE(&x, 4, 5) == (T)-1 && x == 3);                  \
        assert(__atomic_fetch_sub_##SIZE(&x, 1, 5) == 3);                                \
        assert(__atomic_fetch_or_##SIZE(&x, 9, 5) == 2);                                 \
        assert(__atomic_fetch_and_##SIZE(&x, 10, 5) == 11);                              \
        assert(__atomic_fetch_xor_##SIZE(&x, 3, 5) == 10);                               \
        assert(__atomic_fetch_nand_##SIZE(&x, 1, 5) == 9 && x == (T)~1);                 \
    }

CHECK(1, uint8_t)
CHECK(2, uint16_t)
CHECK(4, uint32_t)
CHECK(8, uint64_t)

int main(void) {
    check_1();
    check_2();
    check_4();
    check_8();
    return 0;
}
