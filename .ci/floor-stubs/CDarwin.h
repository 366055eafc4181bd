// What the package's sources and tests use of the C library, as Apple's systems declare it: for `.ci/floor`.
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef int32_t pid_t;
typedef uint16_t mode_t;
typedef int64_t off_t;
typedef long time_t;
typedef long ssize_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; int32_t tv_usec; };

typedef struct { long sig; char opaque[56]; } pthread_mutex_t;
typedef struct { long sig; char opaque[40]; } pthread_cond_t;
typedef struct { long sig; char opaque[8]; } pthread_mutexattr_t;
typedef struct { long sig; char opaque[8]; } pthread_condattr_t;
typedef unsigned long pthread_key_t;
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *_Nullable attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait(
  pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *_Nullable deadline);
int pthread_key_create(pthread_key_t *key, void (*_Nullable destructor)(void *));
int pthread_key_delete(pthread_key_t key);
void *_Nullable pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *_Nullable value);
int pthread_main_np(void);
int sched_yield(void);
char *_Nullable realpath(const char *path, char *_Nullable resolved);
void free(void *_Nullable bytes);
int mkdir(const char *path, mode_t mode);
int rmdir(const char *path);

typedef enum { clock_of_real_time } clockid_t;
extern const clockid_t CLOCK_REALTIME;
extern const clockid_t CLOCK_THREAD_CPUTIME_ID;
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *pause, struct timespec *_Nullable rest);

#pragma clang assume_nonnull end

#define EINTR 4
#define ENOENT 2
#define EEXIST 17
#define ENOTDIR 20
#define ETIMEDOUT 60
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define F_GETFD 1
#define FD_CLOEXEC 1
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_NOCTTY 0x20000
#define O_CLOEXEC 0x1000000
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

#define F_OK 0
#define R_OK 4
#define W_OK 2
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_IFLNK 0120000
struct stat {
  int32_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  uint32_t st_uid;
  uint32_t st_gid;
  int32_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
};

typedef struct { int descriptor; } FILE;
FILE *fopen(const char *path, const char *mode);
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file);
int fclose(FILE *file);
int chmod(const char *path, mode_t mode);
int remove(const char *path);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int replaces);
int unsetenv(const char *name);
int isatty(int descriptor);
char *ttyname(int descriptor);
int openpty(int *reader, int *terminal, char *name, void *attributes, void *size);
ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t read(int descriptor, void *bytes, size_t count);
int close(int descriptor);
int access(const char *path, int mode);
int fchmod(int descriptor, mode_t mode);
int fchown(int descriptor, uint32_t owner, uint32_t group);
int stat(const char *path, struct stat *facts);
int fstat(int descriptor, struct stat *facts);
int lstat(const char *path, struct stat *facts);
int fsync(int descriptor);
int flock(int descriptor, int operation);
int rename(const char *old, const char *new);
int unlink(const char *path);
int chown(const char *path, uint32_t owner, uint32_t group);
int mkfifo(const char *path, mode_t mode);
int atexit(void (*body)(void));
int fflush(FILE *file);
void _exit(int status) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
typedef uint32_t uid_t;
typedef uint32_t gid_t;
pid_t getpid(void);
uid_t getuid(void);
int setuid(uid_t user);
int setgid(gid_t group);
int kill(pid_t process, int signal);
#define SIGKILL 9
void *dlsym(void *handle, const char *symbol);
void *dlopen(const char *path, int mode);
#define RTLD_LAZY 1
#define RTLD_NOW 2
char *strerror(int number);

// For the tests.
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
#define RLIMIT_FSIZE 1
int setrlimit(int resource, const struct rlimit *limits);
#define SIGXFSZ 25
typedef void (*sig_t)(int);
sig_t signal(int signal, sig_t handler);

typedef uint8_t sa_family_t;
typedef uint32_t socklen_t;
struct in_addr { uint32_t s_addr; };
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  uint16_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
#define AF_INET 2
#define SOCK_STREAM 1
#define SHUT_RDWR 2
int socket(int domain, int kind, int protocol);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int listen(int socket, int backlog);
int accept(int socket, struct sockaddr *address, socklen_t *length);
int getsockname(int socket, struct sockaddr *address, socklen_t *length);
int shutdown(int socket, int how);

typedef struct opaque_thread *pthread_t;
typedef struct { long sig; char opaque[56]; } pthread_attr_t;
int pthread_create(
  pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
  void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
int dup2(int descriptor, int other);
void *bsearch(
  const void *key, const void *base, size_t count, size_t width,
  int (*_Nonnull compare)(const void *, const void *));
