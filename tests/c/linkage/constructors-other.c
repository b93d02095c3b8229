//@ part
extern int stage;
__attribute__((constructor(300))) static void init(void) { stage = stage * 10 + 3; }
__attribute__((constructor(700))) static void init_last(void) { stage = stage * 10 + 7; }
