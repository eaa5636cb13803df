import APNSimTLS

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread that lets go of a large object, with less weight than threads that somebody waits for.
///
/// What a simulator held takes tens of milliseconds to free. At the same weight the scheduler lets an event loop on that
/// core wait for a slice of its time, which is milliseconds.
enum ReleaseThread {
  /// Little weight, and enough to get on where all cores are busy: the allocator's locks are shared.
  private static let niceness: CInt = 10

  /// Lets go of an object that nobody else holds; where no thread can be had, at once.
  static func letGo<Object: AnyObject & Sendable>(of object: consuming Object) {
    let held = Unmanaged<AnyObject>.passRetained(consume object)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard pthread_create(&thread, nil, release, held.toOpaque()) == 0 else { return held.release() }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  private static let release: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    held in
    // Linux takes 0 for the calling thread, others for the whole process.
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    #elseif canImport(Musl)
      _ = setpriority(PRIO_PROCESS, 0, niceness)
    #endif
    if let held { Unmanaged<AnyObject>.fromOpaque(held).release() }
    return nil
  }
}
