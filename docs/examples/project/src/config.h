/* Included before the files whose flags say so. */
#define STEP 3
