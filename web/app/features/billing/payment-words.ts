/** What a payer wants to know of the way; the rest stands in the operator's books. */
export const PAYMENT_ENTRIES = new Map<string, string>([
  ['transfer', 'Bank transfer on its way'],
  ['failed', 'Declined'],
  ['paid', 'Paid'],
  ['refund_due', 'Paid a second time'],
  ['refused', 'Paid, but another amount or currency'],
  ['refunded', 'Refunded'],
  ['refund.pending', 'Refund started'],
  ['refund.processing', 'Refund on its way'],
  ['refund.processed', 'Refund paid out'],
  ['refund.failed', 'Refund failed'],
  ['charge.dispute.create', 'Disputed'],
  ['charge.dispute.remind', 'Dispute reminder'],
  ['charge.dispute.resolve', 'Dispute resolved'],
]);
