//@ property: all verdict: safe
//@ run: gcc
// Writing one field leaves the others alone; structs with bit-fields are copied, passed and returned.
#include <stdio.h>

struct date { unsigned day : 5, month : 4; int year : 14; unsigned : 0; unsigned char weekday : 3; };

static struct date make(int d, int m, int y) { return (struct date){d, m, y, (d + m + y) % 7}; }
static struct date next_month(struct date x) {
    if (x.month == 12) {
        x.month = 1;
        x.year++;
    } else {
        x.month++;
    }
    return x;
}

int main(void) {
    struct date d = make(31, 12, 1999);
    struct date e = next_month(d);
    printf("%d-%d-%d %d\n", d.year, d.month, d.day, d.weekday);
    printf("%d-%d-%d %d\n", e.year, e.month, e.day, e.weekday);
    struct date table[3] = {[1] = d, [2] = {1, 2, -3, 4}};
    for (int i = 0; i < 3; i++)
        printf("%d %d %d %d\n", table[i].day, table[i].month, table[i].year, table[i].weekday);
    struct date *p = &table[2];
    p->day = p->month = p->weekday = 15;
    printf("%d %d %d %d\n", p->day, p->month, p->year, p->weekday);
    p->year = p->day * p->month;
    p->year -= 1000;
    printf("%d %d %d\n", p->day, p->month, p->year);
    for (int i = 0; i < 40; i++)
        p->day++;
    printf("%d %d %d\n", p->day, p->month, p->year);
    printf("%d\n", make(1, 2, 3).year);
    return 0;
}
