import APNSimTestSupport
import APNSimWire

/// Bytes from hexadecimal text with spaces and comments; a test that mistypes them fails on the empty array.
func hex(_ text: String) -> [UInt8] {
  Hex.decode(commented: text) ?? []
}

let hexToken = "96385da767191121a851963983fdac9bbdf74dcf6219ae14ed8d082288aaebaf"
let token = hex(hexToken)
let payload = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

/// The frame at the start of `bytes`.
func decode(_ bytes: [UInt8], _ mode: FrameDecoder.Mode = .judging(FrameLimits()), from offset: Int = 0)
  -> Frame?
{
  bytes.withUnsafeBytes { FrameDecoder.next(in: $0, from: offset, mode: mode) }
}

func judge(_ payload: [UInt8], _ rules: PayloadRules = PayloadRules()) -> PayloadVerdict {
  payload.withUnsafeBytes { PayloadJudge.judge($0, rules: rules) }
}

func judge(_ payload: String, _ rules: PayloadRules = PayloadRules()) -> PayloadVerdict {
  judge(Array(payload.utf8), rules)
}
