import type { EventType } from "../../base/event-types.ts";

/** The meaning of each type of event: the summary of its webhook in the API document, and its line in docs/build/webhooks.md. */
export const eventMeanings: Record<EventType, string> = {
  "subscription.created": "A subscription was created.",
  "subscription.paused": "A subscription was paused.",
  "subscription.resumed": "A paused subscription was resumed, by somebody or because its pause was over.",
  "subscription.cancelled": "A subscription was cancelled.",
  "subscription.reactivated": "A cancelled or expired subscription was reactivated.",
  "subscription.expired": "The last cycle of a subscription was billed, and its last delivery made.",
  "subscription.skipped": "Deliveries were skipped, by somebody or because the product is out of stock.",
  "subscription.unskipped": "The latest skip was undone.",
  "subscription.change_undone":
    "A change was undone, as if it had not been made: `changes` has what is as before again, and `metadata.undoes` is the id of the undone change's event.",
  "subscription.frequency_changed": "A subscription is delivered and billed at another interval.",
  "subscription.delivery_instructions_updated": "The delivery instructions were changed.",
  "subscription.delivery_rescheduled": "The next delivery was moved to another date or slot.",
  "subscription.delivery_address_changed": "A subscription is delivered to another address.",
  "subscription.lines_changed": "Products were added, changed, exchanged or removed.",
  "subscription.price_change_announced":
    "A new price of a line, or of all lines of one variant, was announced: `metadata` has `from`, `to` and `first_billing_date`.",
  "subscription.payment_method_changed": "A subscription is paid by another payment method.",
  "subscription.payment_update_requested":
    "The customer has asked for the store's e-mail with a link to replace the payment method.",
  "subscription.payment_update_refused":
    "The store did not send the e-mail that the customer has asked for; `metadata.error_message` says why.",
  "subscription.discount_applied": "A discount was applied.",
  "subscription.discount_removed": "A discount was removed.",
  "subscription.payment_reminder_due":
    "It is time to tell the customer of the next billing, on `metadata.billing_date`; once for each date.",
  "subscription.annual_notice_due":
    "It is time to remind the customer of the subscription, which has run for `metadata.years` years; once a year, if mails of the kind annual_notice are on.",
  "subscription.store_contract_linked": "The store has a contract for the subscription: it can be billed.",
  "subscription.store_sync_refused": "The store does not accept the subscription as it is.",
  "subscription.store_sync_agreed": "The store accepts the subscription again.",
  "subscription.store_skip_not_followed":
    "A cycle was skipped at the store, or its skip taken back there, and the dates here stay as they were; `metadata.why` says why.",
  "subscription.import_released":
    "A subscription that was moved in is no longer held: it is charged on its dates from now on.",
  "subscription.import_undone":
    "A subscription that was moved in was deleted again, because its import was undone; `object` is null.",
  "subscription.cancellation_scheduled":
    "A subscription will end, on `ends_on` or after the cycle `ends_after_cycle`, because its customer has declared a cancellation: `metadata.declaration_id` is the declaration's id.",
  "subscription.cancellation_started":
    "Somebody is about to cancel; `metadata.offers` are the offers that they were shown.",
  "subscription.cancellation_offer_accepted":
    "A customer who was about to cancel accepted `metadata.offer`; what it does is an event of its own.",
  "subscription.cancellation_saved":
    "After an accepted offer a charge succeeded at full terms, and the subscription goes on.",
  "subscription.cancellation_lost":
    "A subscription was cancelled before the offer that was accepted had saved it.",
  "billing.ship_now_requested": "Somebody asked for the next delivery now: a charge begins.",
  "billing.started": "A charge begins: on schedule, as a retry, or because somebody asked.",
  "billing.succeeded": "A cycle was paid.",
  "billing.failed": "A payment was declined.",
  "billing.action_required":
    "The customer has to confirm a payment at `metadata.url`, before `metadata.expires_at`; once for each billing attempt.",
  "billing.review_required": "Nobody knows whether a payment was made: a person has to look.",
  "billing.waiting": "Nothing could be charged for a reason that is not the customer's; it is tried again.",
  "billing.wait_ended": "What kept a charge waiting is over.",
  "billing.resumed": "Somebody has ended the block by a dispute: the subscription is billed again.",
  "order.placed": "An order was placed.",
  "order.updated":
    "An order was changed. Or a refund of it was asked for or has failed: `metadata.refund_status` says which.",
  "order.fulfilled": "An order was fulfilled.",
  "order.cancelled": "An order was cancelled.",
  "order.refunded": "An order was refunded, in part or whole: `metadata.amount` is what was paid back.",
  "order.returned":
    "Goods of an order came back to the merchant. A refund for them is an `order.refunded` of its own.",
  "order.disputed":
    "The customer disputes the payment of an order, or such a dispute has moved on: `metadata.dispute_status` says how it stands.",
  "order.imported": "A past order was moved in from another system. There is nothing to ship.",
  "order.import_undone":
    "A past order that was moved in was deleted again, because its import was undone; `object` is null.",
  "dunning.started": "A payment failed, and will be tried again.",
  "dunning.recovered": "What was owed is paid.",
  "dunning.exhausted": "All retries have failed.",
  "dunning.customer_notified":
    "The store has e-mailed the customer a link to another payment method. If `metadata.is_certain` is false, the store has not answered and may not have sent it.",
  "dunning.notice_refused":
    "The store does not send the customer the link to another payment method; `metadata.error_message` says why.",
  "profile.created": "A customer's profile was created.",
  "profile.updated":
    "A profile was changed, or a customer's data erased; `metadata.fields` names the fields, not their values.",
  "profile.deleted": "A profile was deleted.",
  "profile.email_suppressed":
    "A mail to a customer came back or was reported as spam (`metadata.status`): nothing more is sent to the address.",
  "payment_method.expiring":
    "The payment method of an active or paused subscription expires on `metadata.expires_on`; once 30 and once 7 days before.",
  "portal.login_requested": "A customer asks to be sent a link to the portal.",
  "declaration.received":
    "Somebody has declared on the portal's pages of leaving, without signing in, that they cancel or withdraw: `metadata.kind` says which.",
  "declaration.carried_out": "A declaration was carried out: its subscription ends on `object.effective_on`.",
  "declaration.answered": "Staff have answered a declaration.",
  "declaration.taken_back":
    "The customer has said that somebody else declared it, and the subscription is as before; or the customer started it again before the declaration was carried out.",
  "account.updated": "The account's settings were changed.",
  "account.exported": "Somebody has exported records: `metadata` says which, and in what format.",
  "api_key.created": "An API key was created.",
  "api_key.revoked":
    "An API key was revoked. `metadata.webhook_endpoint_ids` are the endpoints that it has made, if any: they go on.",
  "staff.invited": "A member of staff was added, or invited once more.",
  "staff.updated":
    "A member of staff was changed, or has signed in for the first time; `metadata.fields` names the fields, and `changes` says what role and status were.",
  "staff.removed": "A member of staff was removed.",
  "staff.login_requested":
    "A member of staff asks to be sent a link to the console. The link is mailed to them alone, and is in no event.",
  "job.created": "A job was made, and its rows are being listed: `metadata.kind` says what it does.",
  "job.check_started": "The rows of a job are being checked.",
  "job.checked":
    "The rows of a job are checked, and it can be started: `metadata.counts` says how many have failed.",
  "job.plan_created":
    "An import made a selling plan that its rows need: `metadata.selling_plan_id` and `name` say which.",
  "job.started": "A job began: `metadata.kind` says what it does.",
  "job.paused": "A job was paused.",
  "job.resumed": "A paused job goes on.",
  "job.cancelled": "A job was cancelled, and does nothing more.",
  "job.done": "A job is done: `metadata.counts` says how many of its rows are done, failed and were skipped.",
  "job.undo_started": "The changes of a job are being taken back.",
  "job.undone": "The changes of a job are taken back, row by row: `metadata.counts` says how many.",
  "job.failed": "A job has failed and does nothing more: `metadata.error` says why.",
};
