#ifndef EXTERNS_H
#define EXTERNS_H
extern const char *names[];
extern const int name_count;
typedef struct opaque opaque;
opaque *opaque_new(int v);
void opaque_add(opaque *o, int v);
int opaque_get(const opaque *o);
extern int (*callback)(const opaque *);
int call_back(const opaque *o);
#endif
