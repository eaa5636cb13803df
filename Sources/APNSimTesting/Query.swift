import APNSimCore
import APNSimScenario

extension APNSimulator {
  /// Conditions on notifications in one line, all of which must hold: `topic:com.example.* alert~"order" !device:bob`.
  ///
  /// | condition | holds where the field |
  /// |---|---|
  /// | `device:bob` | is that; with a `*` in it, is like that; `badge:*` is there |
  /// | `alert~"order"`, `alert~/^#[0-9]+$/` | has that in it, or has the regular expression in it |
  /// | `alert^Order` | begins with that |
  /// | `badge>3`, `payload.aps.badge<=9` | is a number on that side |
  /// | `payload.items#2` | has so many elements, members or characters |
  /// | `!outcome:delivered` | the opposite |
  ///
  /// Fields are those of the notification (`topic`, `token`, `device`, `outcome`, `status`, `reason`, `interface`, `priority`,
  /// `expiry`, `apnsId`, `collapseId`, `pushType`, …), `alert`, `badge`, `sound`, and paths into the payload. Command line, control
  /// API and page have the same queries.
  ///
  /// Interpolated values are quoted: `"device:\(name) alert~\(text)"` looks for exactly the text.
  public struct Query: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The line.
    public let description: String

    /// The query of a line.
    public init(_ line: String) { description = line }

    public init(stringLiteral line: String) { description = line }

    public init(stringInterpolation: Interpolation) { description = stringInterpolation.line }

    /// A line with values in it.
    public struct Interpolation: StringInterpolationProtocol {
      fileprivate var line = ""

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) { line += literal }

      /// Appends a value in quotes.
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        line += Query.quoted(value.description)
      }

      /// Appends a number as it is.
      public mutating func appendInterpolation(_ number: some BinaryInteger) { line += "\(number)" }
    }

    static func quoted(_ text: String) -> String {
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    func read() throws(TextError) -> APNSimCore.Query {
      do throws(DocumentError) { return try QueryLine.parse(description) } catch { throw TextError(error) }
    }
  }
}
