//@ files: link-duplicate-other.c
//@ error: 2 duplicate-definition
// The function is defined here and again, at line 2, in the other file.
int shared(void) { return 1; }

int main(void) { return shared(); }
