/* Where names, types, operators and literals are easily confused. */
typedef int T; typedef T U; typedef struct T { T T; struct T *next; } S; struct T tt; 
int f1(T), f2(T x, T y), f3(T (x)), f4(T (*)(T)), f5(int (x)(int)), f6(int a[static restrict 10]);
int f7(T (*g)(T (*)(T), T), T) ;
int use(int *p, int x, int y) { 
  T i; for (T i = 0; i < 3; i++) x += (T)*p + (T)&x - (T)(x) + (x) - (x)+1 + sizeof(T)*2 + (x)*(y) + sizeof (x) + sizeof(T[3]) ;
  { typedef char T; T c = 1; x += sizeof(T) + c; }
  i = *p++ = *p; 
  if (x) lab: y++; 
  switch (x) case 1: y++;
  switch (y) { case 'a'...'z': break; case (int)7: case -1: case sizeof(int): break; }
  do ; while (0);
  do y++; while (y < 3);
  x = (S){1}.T + (S){.T = 3}.T++ + ((S *)0 == &(S){1});
  if (x) if (y) x = 1; else x = 2;
  if (x) { if (y) x = 1; } else x = 2;
  x = y ? x, y : x ? y : 1;
  register int r __asm__("r12") = 1; x += r;
  struct loc; struct loc { int a; } l = { 1 }; x += l.a;
  while (x--) for (;y;) if (x) break; else continue;
  return (x) + (y) ? (x) : (y);
  goto lab;
}
int (*(rp)(int))[3] { static int a[3]; return &a; }
int (*const table[])(T) = { 0, (T (*)(T))0 };
void (*sig(int sig, void (*func)(int)))(int) { return func; }
char *krp(a, b) char *a; T b; { return a + b; }
mainx(argc, argv) char **argv; { return argc; }
extern int foo(), bar(); enum e1 { A1 } x1 = A1; int; struct onlytag; enum { X, Y } ;
typedef void F(void); F ff, *gg; static F hh; static void hh(void) {}
__attribute__((noinline)) int at1(void), at2(void);
__inline __attribute__((always_inline)) static int ai(void) { return 1; }
struct bits { unsigned : 3; int a : 2; unsigned b : 1, : 0, c : 7; __extension__ union { int u; float f; }; _Static_assert(1, ""); ; };
struct s2 { int a; } __attribute__((packed)) sx, sy __attribute__((aligned(8))) = { 0 };
int x2 __asm__("x2alias") __attribute__((weak)) = 3, y2;
const char *strs[] = { "a" "b", "\x61" "b", "\0001", "\7", "tab\there", "q\"q", "?" "?=", "\e[0m", "\xe9\xc3\xa9é" };
long long big1 = 9223372036854775807, big2 = -9223372036854775807LL - 1; unsigned long hx = 0xFFFFFFFFFFFFFFFF; int oct = 0, oct2 = 00, ch = '\0', ch2 = '\\', ch3='"', ch4='?';
double d1 = 1e308, d2 = 4.9e-324, d3 = 0.1, d4 = 1e22, d5 = 123456789012345678901234567890.0, d6 = 0x1.fffffffffffffp-1023; float g1 = 0.1f, g2 = 1e-45f, g3 = 16777217.0f, g4 = 3.4028235e38F; 
int va2(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int *p = __builtin_va_arg(ap, int *); int (*q)(void) = __builtin_va_arg(ap, int (*)(void)); __builtin_va_end(ap); return *p + q(); }
int stmtexpr(int x) { return ({ int y = x; for (int i = 0; i < 3; i++) y += i; y; }) + ({ ; 3; }); }
int comma(int a, int b) { return a = (b, a), b; }
int unary(int a) { return - - a + - +a + !!a + ~~a + -(-1) - -1 + (- -1) + *&a + **&(int *){&a}; }
int shifts(int a) { return a << 1 >> 2 << (3 + a) & ~a | a ^ 1; }
int cmp(int a) { return a < 1 == a > 2 != a <= 3 >= a; }
int asg(int a, int b) { a += b -= a *= b /= 3; a %= 7; a <<= b >>= 1; a &= b |= a ^= 3; return a; }
int idx(int *a) { return a[1] + 1[a] + (a + 1)[2] + a[a[0]] + (&a[1])[0]; }
int vlaf(int n) { int (*p)[n] = 0; typedef int V[n]; V v; return sizeof *p + sizeof(V) + sizeof v + sizeof(int[n][2]); }
_Noreturn static void nr(void) { __builtin_unreachable(); }
int gen(void) { return _Generic((T *)0, const int *: 1, int *: 2, default: 3) + _Generic("a", char *: 1, default: 0) + _Generic(1.0f, float: ({ 5; }), double: 6); }
