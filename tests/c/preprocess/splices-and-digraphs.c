//@ property: all verdict: safe
//@ run: gcc
// Line splices inside tokens, digraphs, odd spacing.
%:include <stdio.h>
#define ADD(a, b) \
    ((a) + \
     (b))
int ma\
in(void) <%
    int a<:3:> = <% 1, 2, 3 %>;
    printf("%d %s\n", ADD(a<:0:>, a<:2:>), "spl\
iced");
    int x=1,z=2;x=+x- -x;x+=+-x+ +1;
    int y = x+++z;
    printf("%d %d %d\n", x, y, 5/*c*//2);
    // a comment that goes on \
    printf("hidden\n");
    return 0;
%>
