//@ property: division-by-zero verdict: unsafe line: 8
// __int128 by a zero whose low half only was checked.
int main(void) {
    __int128 n = (__int128)1 << 100;
    __int128 d = (__int128)1 << 64;
    if ((long)d == 0)
        d >>= 65;
    return (int)(n / d);
}
