//@ error: 5:1 unknown-type
// A misspelt type name; the uses of the variable are not reported as well.
#include <stdint.h>

unit32_t counter;

int main(void) {
    counter = 5;
    counter++;
    return counter;
}
