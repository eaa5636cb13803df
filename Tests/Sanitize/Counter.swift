// Four threads count with a lock around it (`counter locked`), which must pass for clean, or without one, which must
// be found.

import Glibc
import Synchronization

let lock = Mutex(())
let isLocked = CommandLine.arguments.dropFirst().first == "locked"
nonisolated(unsafe) var count = 0

func work() {
  for _ in 0..<50_000 {
    if isLocked { lock.withLock { _ in count += 1 } } else { count += 1 }
  }
}

var threads = [pthread_t](repeating: 0, count: 4)
for index in threads.indices {
  pthread_create(
    &threads[index],
    nil,
    { @Sendable _ in
      work(); return nil
    },
    nil
  )
}
for thread in threads { pthread_join(thread, nil) }
