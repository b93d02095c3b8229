//@ property: assertion verdict: unsafe line: 50
//@ model: __VERIFIER_nondet_int __VERIFIER_nondet_uint __VERIFIER_nondet_unsigned __VERIFIER_nondet_bool
//@ model: __VERIFIER_nondet__Bool __VERIFIER_nondet_unsigned_int __VERIFIER_nondet_char
//@ model: __VERIFIER_nondet_uchar __VERIFIER_nondet_unsigned_char __VERIFIER_nondet_short
//@ model: __VERIFIER_nondet_ushort __VERIFIER_nondet_long __VERIFIER_nondet_ulong
//@ model: __VERIFIER_nondet_longlong __VERIFIER_nondet_ulonglong __VERIFIER_nondet_int128
//@ model: __VERIFIER_nondet_uint128 __VERIFIER_nondet_size_t __VERIFIER_nondet_float
//@ model: __VERIFIER_nondet_double __VERIFIER_nondet_loff_t __VERIFIER_nondet_u8 __VERIFIER_nondet_u16
//@ model: __VERIFIER_nondet_u32 __VERIFIER_nondet_S8 __VERIFIER_nondet_sector_t
//@ model: __VERIFIER_nondet_pthread_t
// Any value of the declared type; the name says nothing.
#include <assert.h>

#define DECLARE(T, NAME) T __VERIFIER_nondet_##NAME(void);
DECLARE(int, int)
DECLARE(unsigned, uint)
DECLARE(unsigned, unsigned)
DECLARE(unsigned, unsigned_int)
DECLARE(_Bool, bool)
DECLARE(_Bool, _Bool)
DECLARE(char, char)
DECLARE(unsigned char, uchar)
DECLARE(unsigned char, unsigned_char)
DECLARE(short, short)
DECLARE(unsigned short, ushort)
DECLARE(long, long)
DECLARE(unsigned long, ulong)
DECLARE(long long, longlong)
DECLARE(unsigned long long, ulonglong)
DECLARE(__int128, int128)
DECLARE(unsigned __int128, uint128)
DECLARE(unsigned long, size_t)
DECLARE(float, float)
DECLARE(double, double)
DECLARE(long, loff_t)
DECLARE(unsigned char, u8)
DECLARE(unsigned short, u16)
DECLARE(unsigned, u32)
DECLARE(signed char, S8)
DECLARE(unsigned long, sector_t)
DECLARE(unsigned long, pthread_t)
DECLARE(_Bool, type_of_the_program)

int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    assert(b == 0 || b == 1);
    assert(__VERIFIER_nondet_type_of_the_program() < 2);
    assert(__VERIFIER_nondet_uchar() < 256);
    if (__VERIFIER_nondet_int() == -1 && __VERIFIER_nondet_ushort() == 65535 && __VERIFIER_nondet_double() == 1)
        assert(b);
    return 0;
}
