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
  /// A reader has to keep up: records leave the history when newer ones need the room, and then `missed` says
  /// how many.
  package func next(maxBytes: Int = JournalPlace.sliceBytes) -> Simulator.JournalSlice {
    simulator.withWorld { world in
      place.saved.popFirst() ?? world.takeJournal(at: place, maxBytes: maxBytes)
    }
  }
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
