//@ error: 5:22 stray-character
// A character that belongs to no token.
int main(void) {
    int price = 5;
    int cost = price @ 2;
    return cost;
}
