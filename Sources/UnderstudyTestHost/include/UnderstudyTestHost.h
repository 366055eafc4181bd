// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#ifndef UNDERSTUDY_TEST_HOST_H
#define UNDERSTUDY_TEST_HOST_H

/// Does nothing. Whoever calls it links this file, and with it what runs when the process starts.
void understudy_link_test_host(void);

#endif
