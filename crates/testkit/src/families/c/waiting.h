/* Waiting by PATIENCE: 0 means as long as it takes (a thread whose condition never holds stops there); else
   the condition is looked at PATIENCE times before the thread gives up and leaves for good. */
#if PATIENCE
#define WAIT(condition)                        \
    for (int tries = 0; !(condition); tries++) \
        if (tries + 1 == PATIENCE)             \
            return 0
#else
void __VERIFIER_assume(int);
#define WAIT(condition) __VERIFIER_assume(condition)
#endif
