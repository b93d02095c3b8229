/* The names of the scanf family; glibc's headers use those of a C version (`__isoc99_`, `__isoc23_`). */

int scanf(const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_stream(stdin, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vscanf(const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_stream(stdin, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int fscanf(struct __braid_file *file, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vfscanf(struct __braid_file *file, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int sscanf(const char *text, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_text(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vsscanf(const char *text, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_text(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc99_scanf(const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_stream(stdin, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc99_vscanf(const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_stream(stdin, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc99_fscanf(struct __braid_file *file, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc99_vfscanf(struct __braid_file *file, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_text(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc99_vsscanf(const char *text, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_text(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc23_scanf(const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_stream(stdin, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc23_vscanf(const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_stream(stdin, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc23_fscanf(struct __braid_file *file, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc23_vfscanf(struct __braid_file *file, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_scan_text(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __isoc23_vsscanf(const char *text, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_scan_text(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}
