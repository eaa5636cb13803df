/// Everything of one app that is not a device's: its feedback list, its providers' unfinished resends.
struct App {
  let key: AppKey
  var ledger: FeedbackLedger
  var resends: ResendTracker
  /// How its provider behaves.
  var diligence = DiligenceWatch()
}
