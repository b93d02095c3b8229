typedef __SIZE_TYPE__ size_t;
