//@ error: 5 preprocess
// #error stops the preprocessor.
#define WIDTH 12
#if WIDTH > 8
#error "too wide"
#endif

int main(void) { return 0; }
