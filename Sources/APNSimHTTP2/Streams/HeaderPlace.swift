/// The place of a header list among those of its connection: its rows, and its text in bytes.
struct HeaderPlace: BitwiseCopyable, Hashable {
  var row: UInt32 = 0
  var rows: UInt32 = 0
  var text: UInt32 = 0
  var bytes: UInt32 = 0
}
