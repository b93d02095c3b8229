/* Non-local jumps within a thread. A frame that calls setjmp has a token for each place where it does so; the tokens of
   the frames that are still there lie on a stack. A jump announces the token it looks for: every frame on the way
   returns at once, until the one whose token it is (see `jumps` in `lower`). */

enum {
    PLACES = 32
};

static __thread int tokens[PLACES];
static __thread int depth;
static __thread int last_token;
/* The token of the place that is jumped to; 0: no jump. */
static __thread int target;
static __thread int result;

/* What setjmp leaves in a jmp_buf. */
struct context {
    int token;
    int thread;
};

int __braid_jump_depth(void)
{
    return depth;
}

/* The frame ends: its tokens mean nothing any more. */
void __braid_jump_leave(int outside)
{
    depth = outside;
}

/* A token for a place of the running function. */
int __braid_jump_place(void)
{
    if (depth == PLACES)
        __braid_too_many_jumps();
    tokens[depth++] = ++last_token;
    return last_token;
}

void __braid_jump_save(struct context *context, int token)
{
    context->token = token;
    context->thread = __braid_self_number();
}

/* Begins a jump; 0 if the frame that called setjmp is gone or another thread's. */
int __braid_jump_begin(struct context *context, int value)
{
    int token = context->token;
    int i;
    if (context->thread != __braid_self_number())
        return 0;
    for (i = 0; i < depth; i++)
        if (tokens[i] == token) {
            target = token;
            result = value ? value : 1;
            return 1;
        }
    return 0;
}

int __braid_jump_target(void)
{
    return target;
}

/* The jump has arrived; gives what setjmp returns. */
int __braid_jump_arrive(void)
{
    while (depth && tokens[depth - 1] != target)
        depth--;
    target = 0;
    return result;
}
