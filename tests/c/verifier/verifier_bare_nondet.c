//@ property: assertion verdict: unsafe line: 50
//@ model: nondet_int nondet_uint nondet_unsigned nondet_unsigned_int nondet_bool nondet__Bool nondet_char
//@ model: nondet_uchar nondet_signed_char nondet_unsigned_char nondet_short nondet_ushort nondet_long
//@ model: nondet_ulong nondet_longlong nondet_ulonglong nondet_size_t nondet_float nondet_double
//@ model: nondet_u8 nondet_u16 nondet_u32 nondet_u64 nondet_int8_t nondet_int16_t nondet_int32_t
//@ model: nondet_int64_t nondet_uint8_t nondet_uint16_t nondet_uint32_t nondet_uint64_t
// The bare names of other tools, unless the program defines them.
#include <assert.h>
#include <stdint.h>

#define DECLARE(T, NAME) T nondet_##NAME(void);
DECLARE(int, int)
DECLARE(unsigned, uint)
DECLARE(unsigned, unsigned)
DECLARE(unsigned, unsigned_int)
DECLARE(_Bool, bool)
DECLARE(_Bool, _Bool)
DECLARE(char, char)
DECLARE(unsigned char, uchar)
DECLARE(signed char, signed_char)
DECLARE(unsigned char, unsigned_char)
DECLARE(short, short)
DECLARE(unsigned short, ushort)
DECLARE(unsigned long, ulong)
DECLARE(long long, longlong)
DECLARE(unsigned long long, ulonglong)
DECLARE(unsigned long, size_t)
DECLARE(float, float)
DECLARE(double, double)
DECLARE(uint8_t, u8)
DECLARE(uint16_t, u16)
DECLARE(uint32_t, u32)
DECLARE(uint64_t, u64)
DECLARE(int8_t, int8_t)
DECLARE(int16_t, int16_t)
DECLARE(int32_t, int32_t)
DECLARE(int64_t, int64_t)
DECLARE(uint8_t, uint8_t)
DECLARE(uint16_t, uint16_t)
DECLARE(uint32_t, uint32_t)
DECLARE(uint64_t, uint64_t)

long nondet_long(void) {
    return 17;
}

int main(void) {
    assert(nondet_long() == 17);
    if (nondet_int() == 1 && nondet_uint8_t() == 255)
        assert(nondet_bool());
    return 0;
}
