//@ unsupported: 14 use of 'elsewhere'
//@ warning: 13 undefined-variable
// Variables that are declared, used and nowhere defined: a run stops where it reads one. Writing is no use.
extern int elsewhere, far_away, unused;
extern struct hidden {
    int member;
} *somewhere;

int main(void)
{
    static int reached;
    if (!reached)
        far_away = 3;
    return elsewhere + somewhere->member;
}
