//@ part
int hook(void) { return 100; }
__attribute__((weak)) int solid(void) { return 200; }
int setting = 1000;
__attribute__((weak)) int fallback(void) { return 7; }
