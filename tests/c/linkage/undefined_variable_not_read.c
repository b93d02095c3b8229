//@ property: all verdict: safe
//@ warning: 8 undefined-variable
// Nothing is known of a variable that no file defines, but nobody reads it.
extern int elsewhere[4], far_away;

int never(void)
{
    return elsewhere[2];
}

int main(void)
{
    far_away = 3;
    return 0;
}
