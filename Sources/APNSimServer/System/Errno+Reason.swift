import APNSimSystem
import NIOCore
import SystemPackage

extension Errno {
  /// True if an error of `accept` means that no descriptors or memory are left for another socket.
  var isExhaustion: Bool {
    [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noBufferSpace, .noMemory].contains(self)
  }

  /// True if the machine lacks the address, or its family of addresses.
  var isAddressMissing: Bool {
    [.addressNotAvailable, .addressFamilyNotSupported, .protocolFamilyNotSupported].contains(self)
  }

  /// A description of the error of a file or a socket in plain words.
  var reason: String {
    switch self {
    case .addressInUse: "the port is in use"
    case .tooManyOpenFiles:
      "this process has too many open files, its limit is \(ThisProcess.descriptorLimit)"
    case .addressNotAvailable: "this machine does not have that address"
    default: words
    }
  }
}

extension SystemError {
  var reason: String { code?.reason ?? words }
}

extension IOError {
  var code: Errno { Errno(rawValue: errnoCode) }
}
