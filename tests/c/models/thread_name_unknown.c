//@ unsupported: 8 name of a thread
//@ model: __braid_unknown_thread_name
// The name of the program is not known.
#include <sys/prctl.h>

int main(void) {
    char name[16];
    return prctl(PR_GET_NAME, name);
}
