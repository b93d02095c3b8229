/* What the comparing programs share. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Declares the model of a library function. */
#define MODEL(f) extern __typeof__(f) braid_##f

int *braid___errno_location(void);
#define model_errno (*braid___errno_location())

/* The harness's input and output. */
extern const char *harness_input;
extern char harness_output[3][1 << 16];
extern size_t harness_length[3];

/* A difference: printed, counted. */
void differ(const char *format, ...);
unsigned long long any(void);
/* 0 .. limit-1 */
unsigned any_below(unsigned limit);
double any_double(void);

void compare_format(void);
void compare_numbers(void);
void compare_strings(void);
void compare_stdio(void);
void compare_scan(void);
void compare_math(void);
void compare_stdlib(void);
void compare_calendar(void);
void compare_inet(void);
