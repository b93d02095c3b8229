/* Attributes of threads: kept, and given back. Only the detach state means something here. */

int pthread_attr_init(struct __braid_thread_attr *attr)
{
    if (__braid_call_fails())
        return ENOMEM;
    attr->detached = 0;
    attr->scope = 0;
    attr->inherit = 0;
    attr->policy = 0;
    attr->priority = 0;
    attr->stack_size = 0;
    attr->guard_size = 4096;
    return 0;
}

int pthread_attr_destroy(struct __braid_thread_attr *attr)
{
    return 0;
}

int pthread_attr_setdetachstate(struct __braid_thread_attr *attr, int state)
{
    if (state < 0 || state > 1)
        return EINVAL;
    attr->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const struct __braid_thread_attr *attr, int *state)
{
    *state = attr->detached;
    return 0;
}

int pthread_attr_setscope(struct __braid_thread_attr *attr, int scope)
{
    /* Contention within the process is not available on Linux. */
    if (scope == 1)
        return ENOTSUP;
    if (scope)
        return EINVAL;
    attr->scope = scope;
    return 0;
}

int pthread_attr_getscope(const struct __braid_thread_attr *attr, int *scope)
{
    *scope = attr->scope;
    return 0;
}

int pthread_attr_setinheritsched(struct __braid_thread_attr *attr, int inherit)
{
    if (inherit < 0 || inherit > 1)
        return EINVAL;
    attr->inherit = inherit;
    return 0;
}

int pthread_attr_getinheritsched(const struct __braid_thread_attr *attr, int *inherit)
{
    *inherit = attr->inherit;
    return 0;
}

int pthread_attr_setschedpolicy(struct __braid_thread_attr *attr, int policy)
{
    if (policy < 0 || policy > 2)
        return EINVAL;
    attr->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const struct __braid_thread_attr *attr, int *policy)
{
    *policy = attr->policy;
    return 0;
}

int pthread_attr_setschedparam(struct __braid_thread_attr *attr, const int *param)
{
    int low = attr->policy ? 1 : 0;
    int high = attr->policy ? 99 : 0;
    if (*param < low || *param > high)
        return EINVAL;
    attr->priority = *param;
    return 0;
}

int pthread_attr_getschedparam(const struct __braid_thread_attr *attr, int *param)
{
    *param = attr->priority;
    return 0;
}

int pthread_attr_setstacksize(struct __braid_thread_attr *attr, size_t size)
{
    if (size < 16384)
        return EINVAL;
    attr->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const struct __braid_thread_attr *attr, size_t *size)
{
    /* What it is by default depends on the limits of the process. */
    if (!attr->stack_size)
        __braid_default_stack_size();
    *size = attr->stack_size;
    return 0;
}

int pthread_attr_setguardsize(struct __braid_thread_attr *attr, size_t size)
{
    attr->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const struct __braid_thread_attr *attr, size_t *size)
{
    *size = attr->guard_size;
    return 0;
}
