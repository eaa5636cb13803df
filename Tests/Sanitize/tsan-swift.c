// Tells the thread sanitizer of two ways in which Swift's run-time libraries order threads. They are not instrumented,
// so that what one thread did before would seem to race with what the next one does after. Loaded before them
// (LD_PRELOAD), these functions stand in for theirs: each calls the real one and says what it means. Nothing else is
// changed, and no report is suppressed.
//
// `Mutex`: a futex. Its quick path is inlined into our code, where the sanitizer sees the atomic operations; the slow
// path, taken when threads meet, is in libswiftSynchronization.so.
//
// Continuations: the task that awaits one and the thread that resumes it meet in an atomic word of the task's. When
// the thread comes first the task goes on at once, without the scheduler, which does tell the sanitizer.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context)) Context *context

// The sanitizer's own; not there in processes that run without it.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static void acquire(void *address) {
  if (__tsan_acquire) __tsan_acquire(address);
}

static void release(void *address) {
  if (__tsan_release) __tsan_release(address);
}

static void *find(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "tsan-swift: this Swift has no %s; the library has changed\n", name);
    abort();
  }
  return function;
}

// The real function of that name, looked up when it is first called: its library may come later than this one.
#define REAL(type, name)                                                       \
  static _Atomic(void *) found;                                                \
  void *function = atomic_load(&found);                                        \
  if (function == NULL) atomic_store(&found, function = find(name));           \
  type real = (type)function

// MARK: Mutex. `self` is the address of the lock's word, in the register of the Swift context.

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*Lock)(uint32_t owner, SELF);
typedef SWIFT bool (*TryLock)(SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void lock_slow(uint32_t owner, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t owner, SELF) {
  REAL(Lock, LOCK);
  real(owner, self);
  acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
  REAL(TryLock, TRY_LOCK);
  bool is_locked = real(self);
  if (is_locked) acquire(self);
  return is_locked;
}

SWIFT void unlock_slow(SELF) {
  REAL(Unlock, UNLOCK);
  release(self);
  real(self);
}

// MARK: Continuations

typedef struct Context Context;
typedef ASYNC void (*Resumption)(CONTEXT);

// The first words of every asynchronous function's context.
struct Context {
  Context *parent;
  Resumption resume;
};

extern SWIFT void *swift_task_getCurrent(void);

// Where awaiting tasks go on, by their contexts. Only atomic operations, and none that the sanitizer sees: a lock here
// would order threads that nothing else orders.
#define PLACES 65536
#define REACH 256
static struct {
  _Atomic(Context *) context;
  Resumption resume;
} awaiting[PLACES];

static size_t place(Context *context, size_t step) {
  return (((uintptr_t)context >> 4) * 0x9E3779B97F4A7C15u >> 48) + step & (PLACES - 1);
}

static bool remember(Context *context) {
  for (size_t step = 0; step < REACH; step++) {
    size_t index = place(context, step);
    Context *nobody = NULL;
    if (atomic_compare_exchange_strong(&awaiting[index].context, &nobody, context)) {
      awaiting[index].resume = context->resume;
      return true;
    }
  }
  return false;
}

static Resumption recall(Context *context) {
  for (size_t step = 0; step < REACH; step++) {
    size_t index = place(context, step);
    if (atomic_load(&awaiting[index].context) != context) continue;
    Resumption resume = awaiting[index].resume;
    atomic_store(&awaiting[index].context, NULL);
    return resume;
  }
  fprintf(stderr, "tsan-swift: a task goes on that never waited\n");
  abort();
}

static ASYNC void go_on(CONTEXT) {
  Resumption resume = recall(context);
  context->resume = resume;
  acquire(swift_task_getCurrent());
  __attribute__((musttail)) return resume(context);
}

typedef ASYNC void (*Await)(Context *context);

ASYNC void swift_continuation_await(Context *context) {
  REAL(Await, "swift_continuation_await");
  if (remember(context)) context->resume = go_on;
  __attribute__((musttail)) return real(context);
}

typedef SWIFT void (*Resume)(void *task);
typedef SWIFT void (*ResumeWithError)(void *task, void *error);

SWIFT void swift_continuation_resume(void *task) {
  REAL(Resume, "swift_continuation_resume");
  release(task);
  real(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
  REAL(Resume, "swift_continuation_throwingResume");
  release(task);
  real(task);
}

SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
  REAL(ResumeWithError, "swift_continuation_throwingResumeWithError");
  release(task);
  real(task, error);
}
