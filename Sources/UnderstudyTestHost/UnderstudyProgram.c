// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#define _GNU_SOURCE

#include "UnderstudyTestHost.h"

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

// Apple's other systems forbid to start a program.
#if (defined(__linux__) && !defined(__ANDROID__)) || (defined(__APPLE__) && TARGET_OS_OSX)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <crt_externs.h>
#define environment (*_NSGetEnviron())
#else
#define environment environ
#endif

/// Opens a pipe that other programs do not inherit.
static bool open_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  // A program that another thread starts in between does inherit it. Then the output ends with both.
  return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0
    && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
}

static bool start(char *const *arguments, int output, pid_t *program) {
  posix_spawn_file_actions_t files;
  if (posix_spawn_file_actions_init(&files) != 0) return false;
  // The copy is first: the pipe may have one of the other numbers.
  bool starts =
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO) == 0
    && posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0
    && posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0
    && posix_spawn(program, arguments[0], &files, NULL, arguments, environment) == 0;
  posix_spawn_file_actions_destroy(&files);
  return starts;
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Reads to the end, or until the text is full. Returns -1 if the time ends before.
static ptrdiff_t read_all(int input, char *output, size_t capacity, int milliseconds) {
  int64_t deadline = milliseconds_now() + milliseconds;
  size_t count = 0;
  while (count < capacity) {
    int64_t rest = deadline - milliseconds_now();
    struct pollfd ready = {input, POLLIN, 0};
    int events = rest > 0 ? poll(&ready, 1, (int)rest) : 0;
    if (events == 0) return -1;
    ssize_t bytes = events > 0 ? read(input, output + count, capacity - count) : -1;
    if (bytes == 0) break;
    if (bytes > 0) {
      count += (size_t)bytes;
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return (ptrdiff_t)count;
}

ptrdiff_t understudy_read_program(
  const char *arguments, char *output, size_t capacity, int milliseconds) {
  enum { most = 32 };
  char *list[most];
  size_t length = 0;
  for (const char *next = arguments; *next != 0; next += strlen(next) + 1) {
    if (length + 1 == most) return -1;
    list[length++] = (char *)next;
  }
  list[length] = NULL;

  int ends[2];
  if (length == 0 || !open_pipe(ends)) return -1;
  pid_t program;
  bool starts = start(list, ends[1], &program);
  // The output ends once the program alone has no more of it.
  close(ends[1]);
  ptrdiff_t count = starts ? read_all(ends[0], output, capacity, milliseconds) : -1;
  close(ends[0]);
  if (starts) {
    // It may run on after the end of its output, or of the time. It is gone only after the wait.
    kill(program, SIGKILL);
    while (waitpid(program, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  return count;
}

#else

ptrdiff_t understudy_read_program(
  const char *arguments, char *output, size_t capacity, int milliseconds) {
  (void)arguments, (void)output, (void)capacity, (void)milliseconds;
  return -1;
}

#endif
