// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop; the runtime that `-sanitize=fuzzer` links defines it.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
