struct container {
    const char *name;
    void *(*create)(void);
    void (*put)(void *, int);
    int (*take)(void *);
    void (*destroy)(void *);
};
extern const struct container stack, queue;
extern int container_count;
