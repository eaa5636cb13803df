/// Records that are kept as they lie in memory, after their number and their size.
struct KeptRows<Record: BitwiseCopyable>: Kept {
  let records: [Record]

  init(_ records: [Record]) { self.records = records }

  func write(to state: inout StateWriter) { records.withUnsafeBufferPointer { state.write(rows: $0) } }

  init(reading state: inout StateReader) throws(StateError) { records = Array(try state.rows(Record.self)) }
}
