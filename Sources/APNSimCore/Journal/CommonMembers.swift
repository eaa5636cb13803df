import APNSimWire

/// The members of a notification's line that are the same for all that one read of a connection brought for an app:
/// from the end of `id` to `topic`.
struct CommonMembers {
  private(set) var bytes: [UInt8] = []
  private var connection: ConnectionID?
  private var read: UInt32 = 0
  private var topic = ""

  @inline(__always)
  mutating func update(_ record: NotificationRecord, topic: String) {
    if record.connection != connection || record.read != read || topic != self.topic { render(record, topic) }
  }

  @inline(never)
  private mutating func render(_ record: NotificationRecord, _ topic: String) {
    (connection, read, self.topic) = (record.connection, record.read, topic)
    var writer = JSONWriter()
    writer.member("connection", record.connection.description)
    if record.read > 0 {
      writer.member("read", record.read)
    }
    writer.member("topic", topic)
    bytes = Array("\",".utf8) + writer.bytes
  }
}
