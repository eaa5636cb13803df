import APNSimWire

/// The kinds of settings that there are many of, by the property they set.
extension ConfigurationSetting {
  package typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

  /// One of some words.
  package static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ path: any Path<Value>,
    _ help: String
  ) -> Self where Value.RawValue == String {
    let names = Value.allCases.map(\.rawValue)
    return value(name, names.joined(separator: ", "), path, help, form: .choice(names)) {
      Value(rawValue: $0)
    } text: {
      $0.rawValue
    }
  }

  /// On or off. `isOpposite`: it is on when the property is false.
  package static func toggle(
    _ name: String,
    _ path: any Path<Bool>,
    _ help: String,
    isOpposite: Bool = false
  ) -> Self {
    value(name, "on, off", path, help, form: .toggle) { text in
      switch text {
      case "on", "true", "yes": !isOpposite
      case "off", "false", "no": isOpposite
      default: nil
      }
    } text: {
      $0 != isOpposite ? "on" : "off"
    }
  }

  /// A whole number within a range.
  package static func number(
    _ name: String,
    _ range: ClosedRange<Int>,
    _ path: any Path<Int>,
    _ help: String,
    values: String? = nil
  ) -> Self {
    let values = values ?? "a number from \(range.lowerBound) to \(range.upperBound)"
    return value(name, values, path, help, form: .number(range)) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    } text: {
      "\($0)"
    }
  }

  /// A whole number within a range, or a word for nil.
  package static func number(
    _ name: String,
    _ range: ClosedRange<Int>,
    or word: String,
    _ path: any Path<Int?>,
    _ help: String,
    values: String
  ) -> Self {
    value(name, values, path, help) { text in
      if text == word { return .some(nil) }
      return Int(text).flatMap { range.contains($0) ? .some($0) : nil }
    } text: {
      $0.map { "\($0)" } ?? word
    }
  }

  /// A number of bytes within a range.
  package static func size(
    _ name: String,
    _ range: ClosedRange<Int>,
    _ path: any Path<Int>,
    _ help: String
  ) -> Self {
    let (least, most) = (ByteSize.text(range.lowerBound), ByteSize.text(range.upperBound))
    return value(name, "a size from \(least) to \(most)", path, help) { text in
      ByteSize.parse(text).flatMap { range.contains($0) ? $0 : nil }
    } text: {
      ByteSize.text($0)
    }
  }

  /// A length of simulated time.
  package static func span(_ name: String, _ path: any Path<TimeSpan>, _ help: String) -> Self {
    value(name, "a duration such as 300ms, 5s, 10m, 2h or 28d", path, help, form: .span) {
      TimeSpan($0)
    } text: {
      $0.description
    }
  }

  /// A text that is not empty, or a word for nil.
  package static func text(
    _ name: String,
    or word: String,
    _ path: any Path<String?>,
    _ help: String,
    values: String
  ) -> Self {
    value(name, values, path, help) { text in
      text.isEmpty ? nil : .some(text == word ? nil : text)
    } text: {
      $0 ?? word
    }
  }

  /// - Parameters:
  ///   - parse: the value that a text means; nil when it means none.
  ///   - text: the value as `parse` takes it.
  package static func value<Value: Sendable>(
    _ name: String,
    _ values: String,
    _ path: any Path<Value>,
    _ help: String,
    form: SettingForm = .text,
    parse: @escaping @Sendable (String) -> Value?,
    text: @escaping @Sendable (Value) -> String
  ) -> Self {
    Self(
      name: name,
      values: values,
      help: help,
      form: form,
      write: { written, configuration in
        guard let value = parse(written) else { return false }
        configuration[keyPath: path] = value
        return true
      },
      read: { text($0[keyPath: path]) }
    )
  }
}
