//@ error: 3 preprocess
// A header that does not exist: the preprocessor's own message is passed on.
#include "does-not-exist.h"

int main(void) { return 0; }
