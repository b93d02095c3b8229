//@ property: all verdict: safe
//@ run: gcc
// Maximal munch, adjacent tokens, odd spacing, comments in strange places.
#include <stdio.h>
#define EMPTY
#define MINUS -
int
main
(
void
)
{int a=5,b=2,*p=&b;
printf("%d %d\n",a/ *p,a+ +b);
printf("%d\n",a-- -b);
printf("%d\n",a- - -b);
printf("%d\n",- MINUS a);
printf("%d %d\n",a>>1>0,a>=+b);
printf("%d\n",a/**/+/* / * */b);
a+=+1;b-=-1;
printf("%d,%d\n",a,b);
int c=a<b?a:b,d=a&&b,e=a& &b!=0;
printf("%d%d%d\n",c,d,!!e);
printf("%s\n","a" /* between */ "b"
"c");
printf("%d\n",'"'+'\'');
printf("%s\n","//not a comment/*nor this*/");
double f=1.e1,g=.5e+1,h=0x.8p1;
printf("%g %g %g\n",f,g,h);
printf("%d\n",0x1f+0xe +1);
printf("%.1f %d\n",1.+.5,(int)sizeof(int[3])/4);
struct{int x;}s={1},*t=&s;
printf("%d\n",t->x-->0);
if(a)if(b);else;else;
for(;a--;)if(a<3)break;
while(0);do;while(0);
EMPTY;{}{;}
return 0;}
