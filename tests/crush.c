/* Tests of TestU01's Crush, by their numbers from 1 to 96, on 32-bit words from standard input: crush NUMBER...
   Prints a line `p NAME VALUE` for every p-value. packaging/crush compiles and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include "unif01.h"
#include "bbattery.h"
#include "swrite.h"

/* Returns the next word. */
static unsigned next(void) {
    unsigned word;
    if (fread_unlocked(&word, sizeof word, 1, stdin) != 1) {
        fputs("crush: the words ended before the test did\n", stderr);
        exit(1);
    }
    return word;
}

int main(int count, char **numbers) {
    int repeat[97] = {0};
    swrite_Basic = FALSE;
    for (int i = 1; i < count; i++) {
        int number = atoi(numbers[i]);
        if (number < 1 || number > 96) { fprintf(stderr, "crush: %s: a number from 1 to 96\n", numbers[i]); return 2; }
        repeat[number] = 1;
    }
    static char buffer[1 << 20];
    setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
    unif01_Gen *generator = unif01_CreateExternGenBits("bytes of standard input", next);
    bbattery_RepeatCrush(generator, repeat);
    for (int i = 0; i < bbattery_NTests; i++) printf("p %s %.17g\n", bbattery_TestNames[i], bbattery_pVal[i]);
    return 0;
}
