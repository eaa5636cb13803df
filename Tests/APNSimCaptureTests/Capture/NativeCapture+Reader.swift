import APNSimCapture
import APNSimTestSupport

extension NativeCapture {
  static func reader(_ lines: [String]) throws -> CaptureReader {
    try CaptureReader(name: "x", bytes: bytes(lines))
  }
}
