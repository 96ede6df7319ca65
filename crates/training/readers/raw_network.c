/* Evaluates positions by a network in raw integers (docs/network-file.md): raw_network FILE FEN... prints centipawns for the side
   to move. Compile with cc -O2 raw_network.c -o raw_network. For little-endian processors. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { uint32_t n, t, k, copies, b, mirrored, qa, qb, scale; } sizes;
static uint8_t buckets[64];
static int16_t *weights, *threats, *bias, *output_weights;
static int32_t *output_bias;

static void *numbers(FILE *file, size_t size, size_t count) {
    void *list = malloc(size * count + 1); /* not 0, for which malloc may return NULL */
    if (!list || fread(list, size, count, file) != count) fputs("the file is truncated\n", stderr), exit(2);
    return list;
}

static void load(FILE *file) {
    if (memcmp(numbers(file, 1, 8), "RAWNNUE2", 8)) fputs("not a network in raw integers\n", stderr), exit(2);
    memcpy(&sizes, numbers(file, 4, 9), 36);
    memcpy(buckets, numbers(file, 1, 64), 64);
    weights = numbers(file, 2, (size_t)768 * sizes.k * sizes.n);
    threats = numbers(file, 2, (size_t)3 * 768 * sizes.copies * sizes.t);
    bias = numbers(file, 2, sizes.n);
    output_weights = numbers(file, 2, (size_t)2 * sizes.n * sizes.b);
    output_bias = numbers(file, 4, sizes.b);
}

static int color[32], type[32], square[32], count; /* colour 0 White, type 0 pawn to 5 king */

static int attacks(int piece, int to) {
    int from = square[piece], file = to % 8 - from % 8, rank = to / 8 - from / 8;
    int steps = abs(file) > abs(rank) ? abs(file) : abs(rank);
    int straight = !file || !rank, diagonal = abs(file) == abs(rank);
    int reached[6] = {abs(file) == 1 && rank == 1 - 2 * color[piece], abs(file * rank) == 2, diagonal, straight, diagonal || straight, steps == 1};
    if (from == to || !reached[type[piece]]) return 0;
    for (int step = 1; step < steps && type[piece] != 1; step++)
        for (int i = 0; i < count; i++)
            if (square[i] == from + step * (to - from) / steps) return 0;
    return 1;
}

/* 0 not attacked, 1 attacked and defended, 2 attacked and undefended, 3 attacked by a piece of lower value. */
static int threat_state(int piece) {
    static const int value[6] = {1, 3, 3, 5, 9, 10};
    int attacked = 0, defended = 0, lower = 0;
    for (int i = 0; i < count; i++)
        if (attacks(i, square[piece])) {
            if (color[i] == color[piece]) defended = 1;
            else attacked = 1, lower |= value[type[i]] < value[type[piece]];
        }
    return lower ? 3 : attacked ? 2 - defended : 0;
}

static int64_t evaluate(const char *fen) {
    int state[32], at = 56; /* a8 */
    count = 0;
    for (; *fen && *fen != ' '; fen++) {
        const char *found = strchr("pnbrqkPNBRQK", *fen);
        if (*fen == '/') at -= 16;
        else if (!found) at += *fen - '0';
        else if (count < 32) {
            color[count] = found[0] >= 'a', type[count] = (int)(found - strchr("pnbrqkPNBRQK", color[count] ? 'p' : 'P'));
            square[count++] = at++;
        }
    }
    for (int i = 0; i < count; i++) state[i] = sizes.t ? threat_state(i) : 0;
    int us = *fen && fen[1] == 'b', bucket = (count - 2) * (int)sizes.b / 31;
    int64_t sum = 0;
    for (int half = 0; half < 2; half++) {
        int side = us ^ half, king = 0;
        for (int i = 0; i < count; i++)
            if (color[i] == side && type[i] == 5) king = square[i] ^ (56 * side);
        int flip = (56 * side) ^ (sizes.mirrored && king % 8 >= 4 ? 7 : 0), copy = sizes.copies == 2 && king % 8 >= 4;
        for (uint32_t neuron = 0; neuron < sizes.n; neuron++) {
            int64_t hidden = bias[neuron];
            for (int i = 0; i < count; i++) {
                int piece = 384 * (color[i] ^ side) + 64 * type[i] + (square[i] ^ flip);
                hidden += weights[(size_t)(768 * buckets[king] + piece) * sizes.n + neuron];
                if (state[i] && neuron < sizes.t) hidden += threats[(size_t)(768 * (3 * copy + state[i] - 1) + piece) * sizes.t + neuron];
            }
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
