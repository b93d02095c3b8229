//@ property: all verdict: safe
//@ model: _mm_pause _mm_mfence _mm_lfence _mm_sfence
// Hints and fences by the names of the intrinsics, declared by the program itself.
void _mm_pause(void);
void _mm_mfence(void);
void _mm_lfence(void);
void _mm_sfence(void);

int main(void) {
    _mm_pause();
    _mm_mfence();
    _mm_lfence();
    _mm_sfence();
    return 0;
}
