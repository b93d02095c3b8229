/* Every construct of the language that the tree knows. */
typedef int T;
typedef unsigned long size_t;
typedef int (*Handler)(int, const char *, ...);
typedef struct { T T; unsigned t : 3, : 0, u : 5; } Shadow;
__extension__ typedef long long int ll;
extern int printf(const char *__restrict __format, ...) __attribute__((__format__(__printf__, 1, 2)));
extern int renamed(int) __asm__("" "other_name") __attribute__((__nothrow__ , __leaf__));
extern __inline __attribute__((__gnu_inline__)) int twice(int x) { return x * 2; }
struct empty {};
union also_empty {};
struct __attribute__((packed)) packed { char c; int i; } __attribute__((aligned(2)));
struct anon { int a; struct { int b; union { int c; char d[4]; }; }; int flex[]; };
enum color { RED, GREEN __attribute__((unused)) = 5, BLUE, };
enum { LAST };
static const volatile int *const volatile cv = 0, plain = 3, arr[] = { [2] = 1, [4 ... 6] = 7, 9, [8] 5 };
int matrix[2][3] = {{1, 2, 3}, {4}}, (*pm)[3] = matrix, *(*fpa[3])(void), (*(*signal2)(int, void (*)(int)))(int);
struct anon sa = { a: 1, .b = 2, .c = 3 };
struct { struct { int x, y[3]; } in[2]; } nested = { .in[1].y[2] = 5, .in[0] = { 1 } };
char s1[] = "a\0b\x41" "\101" "?\?=" "\n\t\\\"", s2[] = u8"é";
__typeof__(sizeof 0) sz = sizeof(int[3]) + sizeof nested.in[0] + sizeof(s1)[0] + _Alignof(double) + __alignof__(sz);
unsigned short wide[] = u"\x1234" "abc\u20ac"; int w4[] = L"wide\x12345" "ab", c1 = 'ab', c2 = L'\u20ac', c3 = '\377', c4='\'';
double dd = 1e10, de = .5e-3, df = 0x1.8p3, dg = 1.f, dh = 1.5L, di = 0x.8p-1074, dj = 1e-320;
__int128 big = (__int128)1 << 100; unsigned __int128 ubig = ~(unsigned __int128)0;
unsigned long long ul = 0xffffffffffffffffull, ub = 0b1011u, uo = 0777ul, ud = 18446744073709551615u;
_Bool bb = 1; signed sg; unsigned un; long unsigned int long lul; short int si; long double ld; char signed cs;
_Thread_local int tl; static __thread int tl2; _Atomic int at; _Atomic(long) at2; int *_Atomic pat;
_Alignas(16) int al16; _Alignas(double) char ald;
_Static_assert(sizeof(int) == 4, "int" " is four"); _Static_assert(1);
int kr(a, b, p) int a; char b, *p; { return a + b + *p; }
krf() { return 1; }
static implicit; *implicit_pointer;
int (paren)(int (x)), *fn_returning_ptr(void), (*fp_ret(int a))(int b);
int (*fp_ret(int a))(int b) { return 0; }
void proto(int, char *[], int (*)(int), int f(int), T, const T *, T T, int n, int a[const static 3], int b[n][*], ...);
void vla(int n, int a[n][n + 1], int (*p)[n]) { int v[n], w[n][2]; (void)sizeof v; v[0] = a[1][2]; (void)w; (void)p; }
int __attribute__((noinline)) attr_fn(int x __attribute__((unused)), int y) __attribute__((const));
int attr_fn(int x, int y) { return y; }
void *(__attribute__((noreturn)) *weird)(void);
__asm__(".globl somewhere");
int T_shadow(void) {
  T T = 3;
  T = T * 2;
  typedef char T2; { T2 x = 1; unsigned T2 = x; T2++; }
  enum { size_t2, Handler } e = Handler;
  return T + e + sizeof(T);
}
int label_typedef(int x) { if (x) goto T; return 0; T: return (T)1; }
int duff(int n) {
  int i = 0, r = 0;
  switch (n & 3) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while (++i < n); }
  switch (n) { case 1 ... 5: case 'a': r = 1; break; default: ; case 9: r += 2; __attribute__((fallthrough)); case 10: case 11: r++; }
  return r;
}
int gnu(int a, int b) {
  __label__ out, in;
  void *table[] = { &&out, &&in };
  int r = a ?: b, m = ({ int t = a; t > b ? t : b; });
  __auto_type q = m + 1;
  typeof(q) q2 = q; __typeof__(int *) pq = &q2;
  if (a > 100) goto *table[a & 1];
  in: r++;
  out: __attribute__((unused)) r--;
  r += __builtin_types_compatible_p(int, T) + __builtin_choose_expr(1, a, "x") + __builtin_offsetof(struct anon, b) + __builtin_offsetof(Shadow, T);
  r += _Generic(a, int: 1, char *: 2, default: 3) + _Generic((char)1, char: 4, default: 5);
  r += ((struct packed){ 'a', 2 }).i + (int[]){1, 2, 3}[1] + sizeof (int[]){1, 2} + *(const int *){&q};
  r += - -a + + +b - --q + ++q - a++ - -b-- + ~a + !b + (int)-1.5 + (unsigned char)'\377' + -(-a) + (a, b) + *&*&a;
  r = a = b += a <<= 1, r >>= 1, r ^= a & b | a ^ b && a || b == a != b < a > b <= a >= b;
  r = a ? b ? 1 : 2 : b ? 3 : 4;
  for (int i = 0, j = 1; i < 3; i++, j--) if (i) if (j) continue; else break; else r++;
  for (;;) break;
  while (a < 0) { a++; continue; }
  do r++; while (r < 0);
  asm volatile ("" ::: "memory");
  __asm__ __volatile__ ("nop" : "=r" (r) : [in] "0" (a), "r" (b) : "cc", "memory");
  asm goto ("" : : "r" (a) : : in);
  asm ("");
  extern int printf(const char *, ...);
  static int counter; counter++;
  ; ;
  lbl: int after_label = 3;
  int f2(int z) { return z + a; }
  return r + f2(2) + after_label + (__extension__ ({ 1; })) + (__extension__ 2) + *pq;
  goto lbl;
}
int va(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int x = __builtin_va_arg(ap, int); __builtin_va_end(ap); return x; }
const char *names(void) { return __func__; }
double _Complex cplx; double im(void) { return __real__ cplx + 1.0; }
_Complex cdef;
_Float128 f128; _Float32 f32; _Float64x f64x; __float128 g128; __int128_t i128; __uint128_t u128t;
int dollar$name = 1, caf\u00e9 = 2;
int digraph<:2:> = <% 1, 2 %>;
;
_Noreturn void die(void) { for (;;); }
inline static int in1(void) { return 0; } 
struct fwd; struct fwd *fwdp; union u { int i; float f; } uu = { .f = 1.0f };
struct ops { int (*open)(const char *, int), (*close)(int); void (*table[4])(struct ops *self); } ops = { .table = { [0 ... 3] = 0 } };
int splice\
d = 1; // comment \
   continues
int main(int argc, char **argv) { char *p = argv[0]; return (p)[0] + (argc)-1 + (argc) * (argc) - (T)(argc) + (T)-1 + sizeof(T)-1; }
#pragma pack(push, 1)
struct pk { char c; int i; };
#pragma pack(pop)
struct npk { char c; int i; };
_Static_assert(sizeof(struct pk) == 5 && sizeof(struct npk) == 8, "");
typedef int v4 __attribute__((vector_size(16)));
int c2x [[gnu::unused]];
[[gnu::noinline]] int c2xf([[maybe_unused]] int x) { [[maybe_unused]] int y; return x; }
