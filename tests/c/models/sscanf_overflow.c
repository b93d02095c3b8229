//@ model: __isoc99_sscanf
//@ property: out-of-bounds verdict: unsafe line: 8
#include <stdio.h>

int main(void)
{
    char word[4];
    sscanf("four", "%s", word);
    return word[0];
}
