/* Evaluates positions by a network in raw integers (docs/network-file.md): raw_network FILE FEN... prints centipawns for the side
   to move. Compile with cc -O2 raw_network.c -o raw_network. For little-endian processors. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { uint32_t n, k, b, mirrored, qa, qb, scale; } sizes;
static uint8_t buckets[64];
static int16_t *weights, *bias, *output_weights;
static int32_t *output_bias;

static void *numbers(FILE *file, size_t size, size_t count) {
    void *list = malloc(size * count);
    if (!list || fread(list, size, count, file) != count) fputs("the file is truncated\n", stderr), exit(2);
    return list;
}

static void load(FILE *file) {
    if (memcmp(numbers(file, 1, 8), "RAWNNUE1", 8)) fputs("not a network in raw integers\n", stderr), exit(2);
    memcpy(&sizes, numbers(file, 4, 7), 28);
    memcpy(buckets, numbers(file, 1, 64), 64);
    weights = numbers(file, 2, (size_t)768 * sizes.k * sizes.n);
    bias = numbers(file, 2, sizes.n);
    output_weights = numbers(file, 2, (size_t)2 * sizes.n * sizes.b);
    output_bias = numbers(file, 4, sizes.b);
}

static int64_t evaluate(const char *fen) {
    int color[32], type[32], square[32], count = 0, at = 56; /* a8; colour 0 White, type 0 pawn to 5 king */
    for (; *fen && *fen != ' '; fen++) {
        const char *found = strchr("pnbrqkPNBRQK", *fen);
        if (*fen == '/') at -= 16;
        else if (!found) at += *fen - '0';
        else if (count < 32) {
            color[count] = found[0] >= 'a', type[count] = (int)(found - strchr("pnbrqkPNBRQK", color[count] ? 'p' : 'P'));
            square[count++] = at++;
        }
    }
    int us = *fen && fen[1] == 'b', bucket = (count - 2) * (int)sizes.b / 31;
    int64_t sum = 0;
    for (int half = 0; half < 2; half++) {
        int side = us ^ half, king = 0;
        for (int i = 0; i < count; i++)
            if (color[i] == side && type[i] == 5) king = square[i] ^ (56 * side);
        int flip = (56 * side) ^ (sizes.mirrored && king % 8 >= 4 ? 7 : 0);
        for (uint32_t neuron = 0; neuron < sizes.n; neuron++) {
            int64_t hidden = bias[neuron];
            for (int i = 0; i < count; i++)
                hidden += weights[(size_t)(768 * buckets[king] + 384 * (color[i] ^ side) + 64 * type[i] + (square[i] ^ flip)) * sizes.n + neuron];
            hidden = hidden < 0 ? 0 : hidden > sizes.qa ? sizes.qa : hidden;
            sum += hidden * hidden * output_weights[(size_t)(2 * bucket + half) * sizes.n + neuron];
        }
    }
    return (sum / (int64_t)sizes.qa + output_bias[bucket]) * (int64_t)sizes.scale / (int64_t)(sizes.qa * sizes.qb);
}

int main(int count, char **arguments) {
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return fputs("usage: raw_network FILE FEN...\n", stderr), 2;
    load(file);
    for (int i = 2; i < count; i++) printf("%lld\n", (long long)evaluate(arguments[i]));
    return 0;
}
