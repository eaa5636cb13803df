import APNSimCore
import APNSimWire
import Testing

@Suite struct `A presented notification` {
  @Test
  func `a presented notification with a null action-loc-key has a single OK button that launches nothing`()
    throws
  {
    let shown = try present(aps: #"{"alert":{"body":"b","action-loc-key":null}}"#)
    #expect(shown.alert == .init(text: "b", buttons: ["OK"]))
    #expect(shown.launchImage == nil)
  }

  @Test func `a presented notification shows keys without a string, and fills a key that is a format`() throws
  {
    let shown = try present(
      aps: #"{"alert":{"loc-key":"%@ has a message","loc-args":["Bob"],"action-loc-key":"READ"}}"#
    )
    #expect(shown.alert == .init(text: "Bob has a message", buttons: ["Close", "READ"]))
    #expect(
      shown.remarks == [
        "the app has no Localizable.strings: loc-key '%@ has a message' stands for itself",
        "the app has no Localizable.strings: action-loc-key 'READ' stands for itself",
      ]
    )
  }

  @Test func `a presented notification says in which languages a missing key is`() throws {
    let localization = try StringsFixture.localization("fr")
    let shown = try present(aps: #"{"alert":{"loc-key":"VIEW"}}"#, localization)
    #expect(shown.alert == .init(text: "VIEW", buttons: ["Close", "View"], language: "fr"))
    #expect(
      shown.remarks == [
        "loc-key 'VIEW' is not in the Localizable.strings of fr and stands for itself; it is in en, Spanish"
      ]
    )
  }

  @Test
  func `a presented notification formats a string without arguments, so that two percent signs are one`()
    throws
  {
    let localization = Localization(languages: [
      .init("en", LocalizableStrings(["SALE": "50%% off", "TITLE": "50%%"]))
    ])
    let shown = try present(aps: #"{"alert":{"loc-key":"SALE","action-loc-key":"TITLE"}}"#, localization)
    #expect(shown.alert?.text == "50% off")
    #expect(shown.alert?.buttons == ["Close", "50%%"])
  }

  @Test func `a presented notification prefers loc-key to body`() throws {
    let localization = try StringsFixture.localization("en")
    let shown = try present(aps: #"{"alert":{"loc-key":"PLAY","body":"b"}}"#, localization)
    #expect(shown.alert?.text == "Play")
    #expect(shown.remarks == ["loc-key takes precedence over body"])
  }

  @Test(arguments: ["\"\"", "{}", #"{"action-loc-key":"PLAY"}"#, #"{"launch-image":"a.png"}"#])
  func `a presented notification with an alert that has no text is still an alert`(alert: String) throws {
    let shown = try present(aps: #"{"alert":\#(alert)}"#, StringsFixture.localization("en"))
    #expect(shown.alert?.text == "")
    #expect(shown.remarks.contains("the alert has no text"))
  }

  @Test(
    arguments: [
      ("5", .set(5)), ("0", .removed), ("-3", .removed), ("7.9", .set(7)), ("0.5", .removed),
      ("1e400", .set(.max)), ("\"5\"", .unchanged), ("true", .unchanged), ("null", .unchanged),
    ] as [(String, Presentation.Badge)]
  )
  func `a presented notification badges by a number and by nothing else`(
    value: String,
    badge: Presentation.Badge
  ) throws {
    #expect(try present(aps: #"{"badge":\#(value)}"#).badge == badge)
  }

  @Test(
    arguments: [
      ("default", .standard), ("chime.caf", .file("chime.caf")), ("", .standard), ("missing.caf", .standard),
      ("chime", .standard), ("Chime.caf", .standard),
    ] as [(String, Presentation.Sound)]
  )
  func `a presented notification plays the default sound where the app has no such file`(
    name: String,
    sound: Presentation.Sound
  ) throws {
    let resources = AppResources(sounds: ["chime.caf"])
    #expect(try present(aps: #"{"sound":"\#(name)"}"#, resources: resources).sound == sound)
  }

  @Test func `a presented notification names the sound that may have been meant`() throws {
    let shown = try present(aps: #"{"sound":"chime"}"#, resources: AppResources(sounds: ["chime.caf"]))
    #expect(
      shown.remarks == ["the app has no sound 'chime' (it has 'chime.caf'): the default sound is played"]
    )
  }

  @Test(
    arguments: [
      (nil, nil, "Default.png"), (nil, "Custom.png", "Custom.png"),
      ("Play", nil, "Play.png"), ("Play.png", nil, "Play.png"),
      ("Gone", nil, "Default.png"), ("Gone", "Custom.png", "Custom.png"),
    ] as [(String?, String?, String)]
  )
  func `a presented notification starts the app with the image of the payload, else the app's`(
    name: String?,
    file: String?,
    image: String
  ) throws {
    let resources = AppResources(images: ["Play.png", "Zebra.png"], launchImageFile: file)
    let member = name.map { #","launch-image":"\#($0)""# } ?? ""
    let shown = try present(aps: #"{"alert":{"body":"b"\#(member)}}"#, resources: resources)
    #expect(shown.launchImage == image)
    #expect(shown.remarks.isEmpty == (name != "Gone"))
  }

  @Test func `a presented notification takes a launch image at its word when nobody knows the app's files`()
    throws
  {
    let shown = try present(aps: #"{"alert":{"body":"b","launch-image":"Play"}}"#)
    #expect(shown.launchImage == "Play")
  }

  @Test(arguments: [("1", true), ("0", false), ("2", false), ("true", false), ("\"1\"", false)])
  func `a presented notification has new content when content-available is 1`(
    value: String,
    isAvailable: Bool
  ) throws {
    #expect(try present(aps: #"{"content-available":\#(value)}"#).isContentAvailable == isAvailable)
  }

  @Test(arguments: [
    (#"{"alert":7}"#, "alert is neither a string nor a dictionary: the device ignores it"),
    (#"{"alert":null}"#, "alert is neither a string nor a dictionary: the device ignores it"),
    (#"{"alert":{"body":"b","action-loc-key":1}}"#, "action-loc-key is not a string: the device ignores it"),
    (#"{"alert":{"body":"b","loc-key":null}}"#, "loc-key is not a string: the device ignores it"),
    (#"{"alert":{"body":"b","launch-image":[]}}"#, "launch-image is not a string: the device ignores it"),
    (#"{"sound":1}"#, "sound is not a string: the device ignores it"),
    (#"{"badge":"1"}"#, "badge is not a number: the device ignores it"),
    (#"{"content-available":"1"}"#, "content-available is not a number: the device ignores it"),
  ])
  func `a presented notification ignores values of another type than the tables give`(
    aps: String,
    remark: String
  ) throws {
    let shown = try present(aps: aps)
    #expect(shown.alert.map { $0.text == "b" && $0.buttons == ["Close", "View"] } ?? true)
    #expect(shown.remarks == [remark])
  }

  @Test(arguments: [#"["Bob",1]"#, #""Bob""#, "null"])
  func `a presented notification ignores loc-args that are no array of strings`(arguments: String) throws {
    let localization = Localization(languages: [.init("en", LocalizableStrings(["K": "Hi %@"]))])
    let shown = try present(aps: #"{"alert":{"loc-key":"K","loc-args":\#(arguments)}}"#, localization)
    #expect(shown.alert?.text == "Hi (null)")
    #expect(shown.remarks.first == "loc-args is not an array of strings: the device ignores it")
  }

  @Test(arguments: [#"{"mdm":"magic"}"#, "{}", #"{"aps":""}"#])
  func `a presented notification of MDM or Wallet shows nothing`(payload: String) throws {
    let shown = try #require(Presentation(payload: Array(payload.utf8)))
    #expect(shown.alert == nil)
    #expect(shown.sound == .silent)
    #expect(shown.badge == .unchanged)
  }

  @Test(arguments: ["", "[]", "{", "nonsense", "{\"aps\":{},}"])
  func `a presented notification that is no JSON dictionary is none`(payload: String) {
    #expect(Presentation(payload: Array(payload.utf8)) == nil)
  }

  @Test func `a presented notification in UTF-16 reads the same`() throws {
    let payload = #"{"aps":{"alert":"é😀","badge":3}}"#
    let wide = payload.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(Presentation(payload: wide) == Presentation(payload: Array(payload.utf8)))
  }

  @Test func `a presented notification keeps the last of equal custom keys`() throws {
    let payload = #"{"a":1,"b":2,"aps":{},"a":3}"#
    let shown = try #require(Presentation(payload: Array(payload.utf8)))
    #expect(shown.custom == [.init(key: "b", value: .number("2")), .init(key: "a", value: .number("3"))])
  }

  @Test func `a presented notification is the same JSON every time`() throws {
    let payload = #"""
      {"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Jenna","Frank"]},"sound":"chime"},\#
      "acme":{"n":1.50}}
      """#
    let shown = try #require(
      Presentation(payload: Array(payload.utf8), localization: try StringsFixture.localization("en"))
    )
    #expect(
      json(shown) == """
        {"alert":{"text":"Jenna and Frank have invited you to play Monopoly","buttons":["Close","View"],\
        "language":"en"},"badge":null,"sound":"chime","launchImage":"Default.png","contentAvailable":false,\
        "custom":{"acme":{"n":1.50}},"remarks":[]}
        """
    )
    let other = try #require(
      Presentation(payload: Array(#"{"aps":{"badge":"x","sound":"default"}}"#.utf8), badgeAbsent: .clear)
    )
    #expect(
      json(other) == """
        {"alert":null,"badge":0,"sound":"default","launchImage":null,"contentAvailable":false,"custom":{},\
        "remarks":["badge is not a number: the device ignores it"]}
        """
    )
  }

  @Test func `a presented notification has a button no longer than its text may be`() throws {
    let long = LocalizableStrings(["B": String(repeating: "é", count: 400_000)])
    let localization = Localization(preferred: ["en"], languages: [.init("en", long)])
    let shown = try present(aps: #"{"alert":{"body":"b","action-loc-key":"B"}}"#, localization)
    #expect(shown.alert?.buttons.last?.utf8.count == LocalizedFormat.maximumByteCount)
  }

  private func present(
    aps: String,
    _ localization: Localization = Localization(),
    resources: AppResources = AppResources()
  ) throws -> Presentation {
    let payload = Array(#"{"aps":\#(aps)}"#.utf8)
    return try #require(
      Presentation(payload: payload, localization: localization, resources: resources)
    )
  }

  private func json(_ shown: Presentation) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    shown.writeMembers(to: &writer)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
