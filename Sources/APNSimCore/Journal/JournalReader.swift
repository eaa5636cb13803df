import DequeModule

/// A reader of the journal at its own pace: each line once and in order, across what clears the history.
package final class JournalReader: Sendable {
  private let simulator: Simulator
  private let place: JournalPlace

  fileprivate init(_ simulator: Simulator, _ place: JournalPlace) {
    (self.simulator, self.place) = (simulator, place)
  }

  deinit { simulator.withWorld { [place] in $0.feed.remove(place) } }

  /// Takes the next lines, of about so many bytes.
  ///
  /// Whoever reads has to keep up: records leave the history when newer ones need the room, and then `missed` says
  /// how many.
  package func next(maxBytes: Int = JournalPlace.sliceBytes) -> Simulator.JournalSlice {
    simulator.withWorld { world in
      place.saved.popFirst() ?? world.takeJournal(at: place, maxBytes: maxBytes)
    }
  }
}

/// The place of a reader in the journal. Used under the simulator's lock.
package final class JournalPlace: @unchecked Sendable {
  fileprivate var next: UInt64
  fileprivate let query: CompiledQuery?
  /// Stretches that were cleared from the history before the reader had them, oldest first.
  fileprivate var saved: Deque<Simulator.JournalSlice> = []

  /// Bytes of a stretch, and with that what a reader that stalls costs beside the kernel's buffers.
  package static let sliceBytes = 65_536
  /// The most stretches that are saved for all readers together: 16 MiB.
  static let mostSaved = 256

  fileprivate init(_ next: UInt64, _ query: CompiledQuery?) { (self.next, self.query) = (next, query) }
}

extension Simulator {
  /// Begins to read the journal.
  /// - Parameters:
  ///   - query: only notifications that match and what is about them; nil for everything.
  ///   - first: the sequence number to begin with, told the one that the next event gets.
  package func readJournal(
    matching query: CompiledQuery? = nil,
    from first: (_ next: UInt64) -> UInt64
  ) -> JournalReader {
    JournalReader(self, withWorld { $0.addJournalPlace(from: first($0.history.nextSeq), query) })
  }

  /// The number of readers of the journal.
  package var journalReaderCount: Int { withWorld { $0.feed.places.count } }

  /// The journal as a recording that begins now would have it.
  package struct JournalSoFar: Sendable {
    package var header: [UInt8]
    package var reader: JournalReader
    /// The sequence number that the next event gets.
    package var end: UInt64
  }

  /// Begins to read the journal up to now.
  /// - Parameter first: the sequence number to begin with; nil for all that there is.
  package func readJournalSoFar(from first: UInt64? = nil) -> JournalSoFar {
    let (header, place, end) = withWorld { world in
      let header = first.map { world.header(from: $0) } ?? world.journalHeader
      return (header, world.addJournalPlace(from: first ?? 0, nil), world.history.nextSeq)
    }
    return JournalSoFar(header: header, reader: JournalReader(self, place), end: end)
  }
}

extension World {
  fileprivate mutating func addJournalPlace(from seq: UInt64, _ query: CompiledQuery?) -> JournalPlace {
    let place = JournalPlace(seq, query)
    feed.add(place)
    return place
  }

  fileprivate func takeJournal(at place: JournalPlace, maxBytes: Int) -> Simulator.JournalSlice {
    let slice = journal(from: place.next, maxBytes: maxBytes, matching: place.query)
    place.next = slice.next
    return slice
  }

  /// Saves what readers have not had of the history, which is about to be cleared: of very much its beginning, so that
  /// one that is far behind is told of a gap.
  mutating func saveForReaders() {
    var left = feed.places.reduce(JournalPlace.mostSaved) { $0 - $1.saved.count }
    for place in feed.places {
      while left > 0, place.next < history.nextSeq {
        var slice = takeJournal(at: place, maxBytes: JournalPlace.sliceBytes)
        slice.isLast = false
        if !slice.marks.isEmpty || slice.missed > 0 { place.saved.append(slice) }
        // A stretch in which nothing matched took as long.
        left -= 1
      }
    }
  }
}
