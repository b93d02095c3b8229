//@ property: all verdict: safe
//@ model: open open64 creat close fopen fopen64 fclose __braid_is_file __braid_uses_files __braid_new_descriptor
// Opening a file may fail; what is open can be written to and closed once.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a = open("a.txt", O_WRONLY | O_CREAT, 0600);
    if (a < 0) {
        assert(errno == ENOENT || errno == EACCES || errno == EMFILE);
        return 1;
    }
    assert(a == 3);
    FILE *log = fopen("b.txt", "w");
    if (log) {
        assert(fileno(log) == 4);
        assert(fputs("text", log) >= 0);
        fprintf(log, "%d\n", a);
        assert(write(fileno(log), "x", 1) == 1);
        assert(fclose(log) == 0);
    }
    assert(write(a, "abc", 3) == 3);
    assert(close(a) == 0);
    assert(close(a) == -1 && errno == EBADF);
    assert(write(a, "abc", 3) == -1);
    int b = creat("c.txt", 0600);
    if (b >= 0) {
        assert(b == 3);
        close(b);
    }
    FILE *reader = fopen("d.txt", "r");
    if (reader) {
        assert(fputc('x', reader) == EOF);
        fclose(reader);
    }
    assert(fopen("d.txt", "q") == NULL);
    return 0;
}
