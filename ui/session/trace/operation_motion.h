// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace headlight {

/// What of an operation is to be seen when a part `phase`, 0 … 1, of it is done. Each is a function of its numbers and
/// the phase alone, so that a reader can go through it backwards as well: at 0 nothing of the result is there, at 1 all
/// of it. No widgets.

/// A matrix that is filled row by row. First a mark goes to the row, then its numbers come from left to right.
struct FillMotion {
    int row = 0;        ///< that is under way; as many as there are rows: none is
    double travel = 0;  ///< 0 … 1: how far the mark has come from the row above
    int column = 0;     ///< of the row, the numbers before it are there
    long filled = 0;    ///< numbers that are there, in reading order

    static FillMotion at(int rows, int columns, double phase);
};

/// S = Q Kᵀ, cell by cell in reading order: the row of Q slides to the column of Kᵀ, the products of their numbers drop
/// one after another into a sum, and the sum fills the cell.
struct ScoreMotion {
    int row = 0, column = 0;  ///< of the cell that is under way; as many rows as there are: none is
    double slide = 0;         ///< 0 … 1: how far the row of Q has come from the column before, or from its own place
    int products = 0;         ///< that are in the sum
    double falling = 0;       ///< 0 … 1: how far the next has dropped
    double sum = 0;           ///< of these products, as yet undivided
    double fill = 0;          ///< 0 … 1: of the cell
    long filled = 0;          ///< cells that are done

    /// queries [rows, width], keys [columns, width].
    static ScoreMotion at(std::span<const float> queries, std::span<const float> keys, int width, double phase);
};

/// A softmax, row by row: the row rises as bars of e^s, a bracket adds them up, and all shrink until they are one.
struct SoftmaxMotion {
    int row = 0;                 ///< that is under way; as many as there are rows: none is
    double rise = 0;             ///< 0 … 1
    int counted = 0;             ///< bars that the bracket holds
    double sum = 0;              ///< of their e^s
    double shrink = 0;           ///< 0 … 1: from e^s to share
    std::vector<double> powers;  ///< e^s of each key, 0 where it may not be looked at
    std::vector<double>
        heights;  ///< of the row's bars, 0 … 1: first against the highest, at last the shares themselves

    /// scores and weights [rows, columns]; `mask` likewise, 0 or −∞, or empty.
    static SoftmaxMotion at(std::span<const float> scores, std::span<const float> weights, std::span<const float> mask,
                            int columns, double phase);
};

/// Z = A V, row by row: the rows of V fade to their weights, and fall one after another onto the row of the output.
struct MixMotion {
    int row = 0;                    ///< of the output, under way; as many as there are rows: none is
    double fade = 0;                ///< 0 … 1: of the values, from full to their weights
    int added = 0;                  ///< rows of V that are in it
    double falling = 0;             ///< 0 … 1: how far the next has fallen
    std::vector<double> strengths;  ///< of each row of V, from 1 to its weight
    std::vector<double> sum;        ///< what the output's row is so far

    /// weights [rows, keys], values [keys, width].
    static MixMotion at(std::span<const float> weights, std::span<const float> values, int keys, double phase);
};

/// A step of a beam search: branches grow to the next words, the words appear, and what the search gives up fades.
struct BranchMotion {
    double grow = 0;  ///< 0 … 1: of the branch
    double word = 0;  ///< 0 … 1
    double fade = 0;  ///< 0 … 1: towards what pruned looks like

    static BranchMotion at(double phase);
};

}  // namespace headlight
