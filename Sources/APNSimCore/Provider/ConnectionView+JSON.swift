package import APNSimWire

extension ResendReport {
  /// `"failed":["00000002"],"discarded":[…],"resent":[…],"lost":[…],"notFollowed":0`, in an object that the caller has begun.
  /// - Parameter most: of each list at most so many.
  package func writeMembers(most: Int = .max, to writer: inout JSONWriter) {
    let lists: [(StaticString, [ProviderReference])] = [
      ("failed", failed), ("discarded", discarded), ("resent", resent), ("lost", lost),
    ]
    for (key, references) in lists {
      writer.key(key)
      writer.beginArray()
      for reference in references.prefix(most) { writer.string(reference.description) }
      writer.endArray()
    }
    writer.member("notFollowed", notFollowed)
  }
}
