// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Tells the core, before the first test runs, that this process runs tests. A test that only calls
// `withOverrides` would otherwise never touch UnderstudyTesting, and nobody would report what its
// layers find.

#include "UnderstudyTestHost.h"

void understudy_install_test_host(void);

__attribute__((constructor)) static void install_at_start(void) {
  understudy_install_test_host();
}

void understudy_link_test_host(void) {}
