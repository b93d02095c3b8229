//@ files: link-duplicate-variable-other.c
//@ error: 3 duplicate-definition
// Two initialised definitions of one variable; the second is at line 3 of the other file.
int level = 1;
int get(void);

int main(void) { return get() + level; }
