//@ error: 4 not-preprocessed
// A .i file is taken as it is, so a directive left in it cannot be obeyed.
extern int puts(const char *);
#include <stdio.h>

int main(void) { return 0; }
