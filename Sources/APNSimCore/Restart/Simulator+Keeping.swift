/// The state written down, and inputs of a log that happen again.
extension Simulator {
  /// Lets an entry of a log happen again, at its own time. Nobody hears of it.
  /// - Throws: why it cannot; what was before it stays.
  package func apply(entry bytes: UnsafeRawBufferPointer, texts: any StateTexts) throws(StateError) {
    var failure: StateError?
    let pending = withWorld { world -> Effects.Pending? in
      let seq = world.history.nextSeq
      do throws(StateError) {
        var entry = StateReader(bytes)
        let (kind, wall) = try InputKeeper.readHead(of: &entry)
        if kind == .restart { world.reach(wall) } else { world.arrive(at: wall) }
        try world.replay(kind, &entry, texts: texts)
        guard entry.isAtEnd else { throw entry.error("the entry was expected to end") }
      } catch {
        failure = error
      }
      return settle(&world, since: seq)
    }
    // The listener that was to perform it is gone; a state that was replaced is let go of.
    _ = consume pending
    if let failure { throw failure }
  }

  /// Writes the whole state down.
  /// - Parameters:
  ///   - room: about how many bytes it will be at least; their memory is made before the lock is taken.
  ///   - begin: called under the lock, before anything is written.
  ///   - mark: called under it as well, with the state that is written.
  package func writeState(
    room: Int = 0,
    begin: () -> Void = {},
    _ mark: () -> Void = {}
  ) -> StateWriter {
    var state = StateWriter(warm: max(room, withWorld { $0.leastBytes }))
    withWorld { world in
      begin()
      world.write(to: &state)
      mark()
    }
    return state
  }
}
