//@ property: signed-overflow verdict: unsafe line: 8
// __int128 addition at its upper end.
int main(void) {
    __int128 max = ((__int128)1 << 126) - 1 + ((__int128)1 << 126);
    unsigned __int128 wraps = (unsigned __int128)-1;
    wraps += 2;
    __int128 one = (__int128)wraps;
    return (int)((max + one) >> 120);
}
