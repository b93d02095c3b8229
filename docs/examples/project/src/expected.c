#include "bank/account.h"

int expected(void)
{
    typeof(balance) result = INITIAL + STEP - 1; /* GNU C */
    return result;
}
