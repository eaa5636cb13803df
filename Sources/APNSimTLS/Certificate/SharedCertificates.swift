import COpenSSL
import Synchronization

/// The certificates that peers showed last. Whoever shows one of them again shares it: OpenSSL keeps a peer's certificate as long
/// as its connection lives, which with key and names is 7 KB, a quarter of what an idle connection holds.
final class SharedCertificates: Sendable {
  /// As many are remembered.
  static let limit = 64
  private let latest = Mutex<[X509Certificate]>([])

  /// The one with the same bytes that was shown before; the certificate itself where there is none.
  func shared(_ certificate: X509Certificate) -> X509Certificate {
    latest.withLock { latest in
      let place = latest.firstIndex { X509_cmp($0.pointer, certificate.pointer) == 0 }
      let found = place.map { latest.remove(at: $0) } ?? certificate
      latest.append(found)
      if latest.count > Self.limit { latest.removeFirst() }
      return found
    }
  }
}
