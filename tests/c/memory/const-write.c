//@ property: out-of-bounds verdict: unsafe line: 9
// A const object with static storage is read-only too, whatever the cast.
static const int limit = 10;

int main(void) {
    int x = 5;
    const int *view = &x;
    *(int *)view = 6;
    *(int *)&limit = 20;
    return x;
}
