//@ property: signed-overflow verdict: unsafe line: 8
// += on a global array element.
static int histogram[4] = {0, 0, 2147483600, 0};

int main(void) {
    for (int i = 0; i < 4; i++) {
        int *cell = &histogram[i];
        *cell += 48;
    }
    return 0;
}
