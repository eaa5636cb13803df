internal import APNSimWire

extension Frame {
  /// Whether it says where the next frame begins: an unknown command and a length that cannot be right do not.
  var hasEnd: Bool { defect != .unknownCommand && defect != .emptyFrame && defect != .frameTooLong }
}
