export type Guidance = Readonly<Record<string, string>>;

/** The texts below. bundle/guidance.ts is deployed in their place: nobody but agents reads them. */
export async function readGuidance(): Promise<Guidance> {
  return guidance;
}

/**
 * When to use a tool, and when another one: what a model needs and a reader of the API's document does not. It stands behind
 * the operation's summary. Tools that are not named here have the beginning of their operation's description instead.
 */
const guidance: Guidance = {
  getAccount:
    "Use it for the store's time zone, currency and payment retry settings. Dates in other tools are in its zone, amounts in its currency unless they have a `currency_code`.",
  listProfiles:
    "Use search to find a customer by part of an e-mail address, name or phone number. What a customer is subscribed to is in listSubscriptions.",
  getProfile:
    "Contact data and consent of one customer, by the id that listProfiles or a subscription names.",
  listProfileActivity:
    "What happened to one customer, newest first, without a range of dates. For the whole store use listActivityLogs.",
  listSubscriptions:
    "Finds subscriptions: by status, customer, date, failed payment, or search (number, customer's name or e-mail). To count, ask with limit 1 and read meta.total. For what is in one use getSubscription.",
  getSubscription:
    "Everything about one: lines, amounts, dates, address, discounts, and what is possible now (can_* flags). Read it before you change it. It takes the id, not the number: listSubscriptions with search finds that.",
  getSubscriptionPaymentMethods:
    "The current payment method and the customer's others, with their ids for changePaymentMethod.",
  listUpcomingDeliveries:
    "What will be delivered and charged if nobody acts and payments succeed; is_at_risk marks what depends on a payment in doubt. Trust it over next_billing_date, which a paused subscription keeps. With pause_until it previews a pause. For orders that exist use listOrders.",
  pauseSubscription:
    "Stops billing and deliveries until pause_until, or until resumed. For one delivery use skipDeliveries; to end it, cancelSubscription.",
  resumeSubscription:
    "Ends a pause. Nothing is charged today. For CANCELLED or EXPIRED use reactivateSubscription.",
  cancelSubscription:
    "Ends the subscription. Ask the user first, and offer pauseSubscription or skipDeliveries. Reasons are in listCancellationReasons.",
  openCancellation: "What a customer who wants to leave is offered instead.",
  acceptCancellationOffer: "Ask the user first.",
  confirmCancellation: "Without a case use cancelSubscription.",
  getRetention:
    "How many customers stayed because of an offer, by reason or by offer. What is offered is in getCancellationFlow.",
  reactivateSubscription:
    "Starts a CANCELLED or EXPIRED subscription anew; its cycles count from 1. For PAUSED use resumeSubscription.",
  skipSubscription:
    "Moves the next billing and delivery by whole weeks, for good: later dates move too. To leave out deliveries and keep the usual days use skipDeliveries, for a certain day reschedule. An active reason from listSkipReasons is required of all but staff, if there are any.",
  skipDeliveries:
    "Leaves out the next deliveries and keeps the usual days: what most people mean by skipping. It needs a reason as skipSubscription does.",
  unskipSubscription:
    "Takes back the latest skip, as long as nothing else has moved the dates. Any other change, and an older skip, by undoChange.",
  undoChange:
    "Takes back one change of the last 24 hours, by the id of its entry in listActivityLogs: better than the opposite action, which begins cycles and terms anew. Show a dry run first.",
  changeFrequency:
    "Changes how often it is billed and delivered from the next cycle on; the next dates stay. For one date use reschedule.",
  reschedule:
    "Moves the next delivery to a date or slot, and the billing with it. For whole weeks use skipSubscription. Where the day is full, details name the next free one.",
  changeDeliveryAddress:
    "Give either delivery_address_id alone, or a whole address (address1, city, zip, country_code). Orders that exist keep theirs.",
  applyDiscount:
    "Lowers the next charges, all of them or as many as recurring_cycle_limit says. It refunds nothing.",
  changePaymentMethod:
    "Give payment_method_id or store_payment_method_id. It charges at once if a payment is owed: its dry run has what in dry_run, null for nothing. Ask the user first.",
  shipNow:
    "Charges the customer for the current cycle now and makes the order. Ask the user first, and show a dry run. Read listBillingAttempts for the outcome. For a payment that failed use retryPayment.",
  retryPayment:
    "Charges again what is owed after a failed payment (can_retry_payment). Ask the user first. To bill early use shipNow.",
  listBillingAttempts:
    "The charges of one subscription and why they failed, newest first. For the whole store use listAllBillingAttempts.",
  listAllBillingAttempts:
    "Charges of the whole store by status, trigger and date: failures of a week, or REVIEW, which a person must settle. For one subscription use listBillingAttempts.",
  listDunningEpisodes:
    "What followed each failed payment of one subscription: retries to come, or a wait for the customer.",
  explainSubscription:
    "Why it is in its state, what comes next, what blocks billing. Ask this first for any why; for one charge explainBillingAttempt.",
  explainBillingAttempt: "What one charge is made of, and why it was made then.",
  listAllDunningEpisodes:
    "Who owes what, oldest first; status OPEN,AWAITING_CUSTOMER for what is still owed.",
  listSellingPlans:
    "The plans that products are sold on: intervals and discounts. What a customer has is in getSubscription.",
  resumeBilling:
    "Only where billing_blocked_reason is disputed, and the user has decided to charge this customer again: what is due is charged at once. Ask first.",
  listOrders:
    "Orders by customer, subscription, status or date; search takes an order number, tracking number, name or e-mail. Deliveries to come are in listUpcomingDeliveries.",
  getOrder:
    "One order whole: amounts, tracking, customer and subscriptions, by the id that listOrders names.",
  fulfillOrder:
    "Only for orders that no store keeps, once a parcel is really sent: the customer is mailed when it is FULFILLED, and it never goes back.",
  cancelOrder:
    "Only before anything of the order was sent. It does not end the subscription: for that use cancelSubscription. With refund true it pays all of it back: ask the user first.",
  refundOrder:
    "Pays money back to the customer, in part or whole. Ask the user first, with the amount. Read listOrderRefunds for the outcome.",
  listActivityLogs:
    "Who did what and when, on the days from start_date to end_date, newest first. Filter by subscription_id, order_id, action or actor. For one customer use listProfileActivity.",
  listSkipReasons: "The reasons that skipSubscription takes as skip_reason_id. Use an active one.",
  listCancellationReasons:
    "The reasons that cancelSubscription takes as cancellation_reason_id. Use an active one.",
  changeManySubscriptions:
    "A dry run unless dry_run is false or preview is sent: wait with getJob until it is DONE, read its rows with listJobRows, show the user how many change and the sums, and ask; then call it with its preview and its id as preview_job_id. What went wrong can be undone with undoJob.",
  getJob:
    "How far a job has got: ask again every few seconds until its status is DONE. Its rows are in listJobRows.",
  listJobRows:
    "What became of each subscription of a job, with the sentence of those that were SKIPPED or FAILED.",
  undoJob: "Takes back what a job has changed, where nobody has changed it since. Ask the user first.",
  uploadProfiles:
    "Creates the customers with these e-mail addresses, or changes those that exist: at most 10,000, all or none.",
  createSubscriptions:
    "Only for a new subscription of a customer who has agreed. To change one that exists use addLine, changeLine or changeFrequency.",
  addLine:
    "For a product beside those of the subscription. To swap or change the quantity of one use changeLine.",
  settleBillingAttempt:
    "Ends a REVIEW as a person found it at the store. Never guess: ask the user whether the customer was charged.",
  createActivityLog: "Only for notes of an integration in the history; it changes nothing else.",
  listEvents:
    "The raw stream, oldest first, for programs that follow it. To answer a question about the past use listActivityLogs.",
};
