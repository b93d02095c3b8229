//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 10
// The last array of a declared struct is as long as it says: there is nothing behind it but padding.
struct text { long number; char name[3]; };
static struct text t;

int main(void) {
    char last = 0;
    for (int i = 0; i < 4; i++)
        last = t.name[i];
    return last;
}
