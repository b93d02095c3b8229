//@ part
#include "inline.h"

extern inline int add_one(int x);
int (*get_add_one(void))(int) { return add_one; }
int other_counted(void) { return counted(); }
