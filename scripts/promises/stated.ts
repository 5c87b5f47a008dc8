/** A test that states a promise: its file, and words of its title. */
export type Statement = readonly [file: string, title: string];

const checks = "test/contract/checks";

/** The tests that state each listed promise, by the words with which it begins. */
export const stated: Record<string, readonly Statement[]> = {
  "Two credentials": [
    [`${checks}/credentials.ts`, "each credential alone is enough exactly where the document says so"],
    [`${checks}/credentials.ts`, "a key of one account and a token of another: 403 ACCOUNT_MISMATCH"],
  ],
  "A key": [
    ["test/http/api-keys.test.ts", "a key is prnl_<key id>_<43 base64url characters>"],
    ["test/http/api-keys.test.ts", "a mistyped key costs no trip to the database"],
    ["src/base/accounts/api-key.test.ts", "the checksum is the CRC-32 in base62"],
  ],
  Scopes: [
    [`${checks}/scopes.ts`, "each operation that needs a credential names one known scope"],
    [`${checks}/scopes.ts`, "a credential without the scope is 403, and told which"],
    [`${checks}/scopes.ts`, "where both credentials are sent, each must have the scope"],
    ["test/contract/scopes.test.ts", "agents see the scope of each tool"],
  ],
  "A merchant's server signs its people in": [
    ["test/http/issuing-tokens.test.ts", "has the scopes that are asked for, or all that the key has"],
    [
      "test/contract/scopes.test.ts",
      "staff whose token a limited key has issued can do no more than the key",
    ],
  ],
  "A customer's token reaches its own profile's subscriptions": [
    [
      `${checks}/credentials.ts`,
      "a customer's token reaches what customers may do, all else is 403 FORBIDDEN",
    ],
    [
      "test/operations/customers.test.ts",
      "is 404 for the subscription of another customer, and changes nothing",
    ],
  ],
  "A customer's own records": [
    [`${checks}/credentials.ts`, "what is for customers alone is 403 FORBIDDEN for staff"],
    ["test/portal/settings.test.ts", "403 while the portal is off"],
    ["test/portal/settings.test.ts", "another customer's addresses an"],
  ],
  "A customer makes at most 100 changes an hour": [
    ["test/portal/customer-bounds.test.ts", "over all of their records, by tokens, agents and pages"],
    ["test/portal/customer-bounds.test.ts", "however many are sent at once"],
    ["test/portal/customer-bounds.test.ts", "however many are added at once"],
  ],
  "The merchant's portal settings bind every customer's token": [
    ["test/portal/settings.test.ts", "403 for a customer by HTTP, by MCP and in a dry run"],
    ["test/portal/settings.test.ts", "can_pause and can_cancel of a subscription answer false to a customer"],
    ["test/portal/settings.test.ts", "a customer may always resume and reactivate"],
  ],
  "Customers change what is in a subscription within the merchant's catalogue": [
    [
      "test/portal/own-lines.test.ts",
      "takes the catalogue's product and price and the terms of the subscription's plan",
    ],
    ["test/portal/own-lines.test.ts", "keeps the line's own price"],
    ["test/portal/own-lines.test.ts", "a price in the request is an unknown field"],
    ["test/portal/own-lines.test.ts", "403 by HTTP, by MCP and in a dry run; nothing changes"],
    ["test/portal/own-lines.test.ts", "a new account lets customers do none of it"],
    ["test/portal/own-lines.test.ts", "a variant that it does not list"],
    ["test/portal/own-lines.test.ts", "while deliveries are paid for, customers change nothing"],
    ["src/domain/subscriptions/lines/line-choices.test.ts", "a recurring line stays"],
  ],
  "Revoking a key ends its tokens, deleting a profile ends its customer's": [
    ["test/http/revocation.test.ts", "revoking a key ends the tokens that it has issued"],
    ["test/http/revocation.test.ts", "within 30 seconds: they read nothing any more"],
  ],
  "What a key has made ends with it": [
    ["test/http/made-by-key.test.ts", "within 30 seconds of its revocation; those of another key go on"],
    ["test/http/made-by-key.test.ts", "it is paused with a sentence at the next page"],
    ["test/http/made-by-key.test.ts", "those that it made, led elsewhere or gave a secret"],
  ],
  "Requests are counted by who is proven to send them": [
    ["test/http/counting.test.ts", "a new token of the same person starts no new count"],
    ["test/http/counting.test.ts", "minting tokens for ever more people ends at five times the key's limit"],
    ["test/http/counting.test.ts", "429 comes before 401, and before the database"],
    ["test/http/counting.test.ts", "an IPv6 client is counted by its /64"],
  ],
  "Goods by day are those of the orders that follow": [
    ["test/goods/proof.test.ts", "the goods of eight weeks are those that were forecast, cell by cell"],
    ["test/goods/proof.test.ts", "cancelling a subscription takes away exactly its cells"],
  ],
  "An export and the stream of events are one whole copy": [
    [
      "test/exports/exports.test.ts",
      "events, up to the sequence that the export names; the stream goes on from there",
    ],
  ],
  "A part is a fixed range of at most 50,000 records": [
    ["src/domain/exports/ranges.test.ts", "have each row once, in order, and no more than they say"],
    ["test/exports/exports.test.ts", "is the same range again: what is made later is not in it"],
    ["test/exports/exports.test.ts", "an export as JSON lines has the records as the API answers them"],
    ["test/exports/rows-read.test.ts", "a part of some hundred rows reads each of them once"],
  ],
  "A part says where it ends": [["test/exports/exports.test.ts", "shows that it was cut"]],
  "An export needs what reading the records needs": [
    ["test/exports/access.test.ts", "a key, and for profiles and orders a token of staff besides"],
    ["test/exports/access.test.ts", "the scopes of jobs and of what is exported, in every credential"],
    ["test/exports/access.test.ts", "nobody's but staff's: a customer is refused"],
  ],
  "An address of a part is its only credential": [
    ["test/exports/access.test.ts", "that was changed anywhere is no address"],
    ["test/exports/access.test.ts", "is good for an hour"],
    ["test/exports/access.test.ts", "ends within 30 seconds once its key is revoked"],
    ["test/exports/access.test.ts", "is counted by client address"],
    ["src/base/lib/secrets/signed.test.ts", "proves its text, for its purpose, under its key alone"],
  ],
  "An export of subscriptions moves back in": [
    ["test/exports/moving-back.test.ts", "moved into an empty account is the same again, but ids"],
    ["test/exports/moving-back.test.ts", "moved into its own account doubles nothing"],
    [
      "test/exports/round-trip.test.ts",
      "random subscriptions come back equal in every field, with their next twelve deliveries",
    ],
    ["test/node/split-file.test.ts", "loses the last line of an export once it is split"],
  ],
  "No cell of CSV begins as a formula does": [
    ["test/exports/exports.test.ts", "puts an apostrophe before what a spreadsheet takes for a formula"],
    [
      "src/base/lib/csv-cells.test.ts",
      "no text begins a cell that a spreadsheet takes for a formula, and none is lost",
    ],
    [
      "src/domain/exports/subscription-lines.test.ts",
      "are moved in as the same lines and discounts, which come to the same total",
    ],
  ],
  "A bulk is the same loop of single calls": [
    ["test/bulk/actions.test.ts", "a bulk is the same loop of single calls"],
  ],
  "Undoing a job keeps what others have done since": [
    [
      "test/bulk/undo.test.ts",
      "leaves what customers did in between, and takes back the rest of what it wrote",
    ],
  ],
  "A higher price is told before it is charged": [
    ["test/bulk/prices.test.ts", "is told 30 days before unless less is said"],
    [
      "test/bulk/prices.test.ts",
      "is the lines' price of a later cycle, at once in upcoming and goods, and is charged then",
    ],
  ],
  "A row of a job is done once": [
    ["test/bulk/undo.test.ts", "a job whose messages come twice or die between rows does each row once"],
    [
      "test/jobs/rows.test.ts",
      "are done once, whatever is delivered twice at once or dies before or after a commit",
    ],
    [
      "test/jobs/rows.test.ts",
      "stop at once when the job is paused or cancelled, and go on when it is resumed",
    ],
    ["test/jobs/rows.test.ts", "a second is refused and named the first, until that is paused or has ended"],
  ],
  "A page of a job is done once": [
    [
      "test/goods/runs.test.ts",
      "counts each page once, whatever comes twice, is lost or dies between two pages",
    ],
    ["test/goods/runs.test.ts", "stops while it is paused, and does nothing more once it is cancelled"],
  ],
  "Open to everybody": [["test/contract/credentials.test.ts", "only documentation, health, public keys"]],
  "One 401 body": [
    [`${checks}/credentials.ts`, "the same 401 for every credential that is not valid"],
    [`${checks}/credentials.ts`, "of two credentials the 401 names the one that is not valid"],
    [`${checks}/credentials.ts`, "a key that is sent as a Bearer token is 401 and says where it belongs"],
  ],
  "Checks come in one order": [
    [`${checks}/credentials.ts`, "order of checks: credential before media type, schema and record"],
    ["test/operations/ending.test.ts", "401 and 403, then 415 and 413, then 400 schema"],
    ["test/contract/routes.test.ts", "a known path with another method is 405 METHOD_NOT_ALLOWED with Allow"],
  ],
  "Another account's record does not exist": [
    [`${checks}/answers.ts`, "a record of another account does not exist: 404"],
    [`${checks}/answers.ts`, "ids of another account in body and query reach nothing of it"],
  ],
  "One envelope": [
    ["test/contract/responses.test.ts", "an error has the form that Accept prefers"],
    [`${checks}/answers.ts`, "with Accept: application/problem+json an error has RFC 9457's members too"],
    ["test/contract/fuzz.test.ts", "answers as documented whatever is sent"],
  ],
  "Unknown fields and query parameters are named as errors": [
    [`${checks}/unknown.ts`, "an unknown query parameter is named"],
    [`${checks}/unknown.ts`, "an unknown body key is named, at every depth"],
    ["test/http/messages.test.ts", "an unknown name comes with the known one that is nearest"],
  ],
  "Every message is in the API's own words": [
    [
      "test/contract/messages.test.ts",
      "says in our own words what a wrong value has to be, over HTTP each, as a tool one of each field",
    ],
  ],
  "400": [
    [`${checks}/bodies.ts`, "JSON of another shape: 400 VALIDATION_FAILED"],
    ["test/operations/table.test.ts", "each operation in each state"],
    ["test/http/idempotency.test.ts", "same key, other request: 422 IDEMPOTENCY_KEY_REUSED"],
    ["test/http/passing-failures.test.ts", "a database that stays away answers 503 with Retry-After"],
  ],
  "A database's passing failure is nobody's 500": [
    ["test/http/passing-failures.test.ts", "is answered as if nothing had happened, and takes effect once"],
    [
      "test/http/passing-failures.test.ts",
      "a database that stays away answers 503 with Retry-After, and leaves nothing half done",
    ],
  ],
  "`Idempotency-Key`": [
    [
      "test/contract/idempotency.test.ts",
      "a request that committed, and died before its response was stored",
    ],
    [
      "test/http/idempotency.test.ts",
      "replays status and body with Idempotency-Replayed: true, and acts once",
    ],
    ["test/http/idempotency.test.ts", "is replayed only after the caller has been authorised again"],
    ["test/http/idempotency-in-flight.test.ts", "of many requests at once exactly one takes effect"],
  ],
  "An answer with a secret is replayed to the key that asked for it, or that issued the token, alone": [
    ["test/http/secret-answers.test.ts", "an answer with a secret belongs to the key that asked for it"],
    ["test/http/secret-answers.test.ts", "of an identity provider's tokens it belongs to their subject"],
  ],
  Rates: [
    [
      "test/http/rate-limit.test.ts",
      "beyond the limit: 429 RATE_LIMITED with Retry-After and the RateLimit headers",
    ],
  ],
  "Rules between fields stand in the document too": [
    ["test/contract/width.test.ts", "%s is sent bodies that the document allows"],
  ],
  "What the document allows is accepted": [
    ["test/contract/fuzz.test.ts", "takes what the document allows"],
    ["test/contract/values.test.ts", "the document and the API refuse %j alone"],
  ],
  Ids: [
    ["src/base/lib/ids.test.ts", "of one instant comes after those made before it"],
    ["test/orders/orders.test.ts", "an unknown id is 404: %s"],
    ["test/shopify/plans-at-store.test.ts", "has the store's plan in its contract, and ours here"],
  ],
  "A store's ids": [
    ["test/contract/store-ids.test.ts", "every field that is named as a store's id takes both forms"],
    ["test/contract/store-ids.test.ts", "a global id of another kind of record is refused by name"],
  ],
  Instants: [
    ["src/base/lib/time/dates.test.ts", "is what Date makes of it, for any instant and offset"],
    ["src/base/lib/time/dates.test.ts", "parseDate: a calendar date, or the date of a date-time in the zone"],
  ],
  Money: [
    ["src/base/lib/money.test.ts", "an amount comes back from major units as it was, in any currency"],
    ["test/contract/values.test.ts", "an amount has at most the decimals that its currency has"],
    [
      "src/domain/subscriptions/lines/amounts-properties.test.ts",
      "totals reconcile with the lines to the minor unit",
    ],
  ],
  "Days of the week": [["src/domain/subscriptions/dates/cadence.test.ts", "of its week (ISO 8601)"]],
  "Free-form objects": [["test/http/free-form.test.ts", "has at most 16,000 bytes as JSON"]],
  Intervals: [
    ["src/base/lib/time/intervals.test.ts", "the largest counts are 365 days, 52 weeks, 24 months, 3 years"],
  ],
  Countries: [
    ["src/base/lib/places/countries.test.ts", "is ISO 3166-1's 249 and Kosovo's"],
    ["test/profiles/countries.test.ts", "a change names one of the two, and the other follows"],
  ],
  "PUT changes only the fields it names": [
    [
      "test/profiles/profiles-update.test.ts",
      "PUT changes only the fields it names; an explicit null clears a nullable one",
    ],
    ["test/selling-plans/selling-plans-changes.test.ts", "only what is named; an explicit null clears"],
  ],
  Pages: [
    ["test/profiles/list.test.ts", "past the end: 200, empty data, true totals"],
    ["test/scale/search.test.ts", "is at most 4 KB long"],
  ],
  "`next_page_url` and `previous_page_url` have a `cursor`": [
    ["test/http/cursors.test.ts", "leads on where its page ended, whatever has been stored since"],
    ["test/http/cursors.test.ts", "that was changed in any character is refused"],
  ],
  "No page looks at more than 5,000 rows": [
    ["test/scale/bounds.test.ts", "rows for a page, and its next page costs no more"],
    ["src/base/db/list/listing.test.ts", "shows each row once, in order"],
  ],
  "A page by its number": [
    ["test/scale/bounds.test.ts", "near either end of %o is read"],
    ["test/scale/bounds.test.ts", "far from both ends of %o is refused, and told of the cursor"],
  ],
  "A page has `limit` rows": [
    ["test/http/long-pages.test.ts", "a page of a list has as many as were asked for, read on and back"],
  ],
  "A tool's page ends before 2,000,000 bytes of JSON": [
    ["test/http/long-pages.test.ts", "a tool's result stays below 4 MiB"],
    ["test/http/long-pages.test.ts", "the stream of events ends a page before it is too long"],
  ],
  "Newest first": [
    ["test/scale/pages.test.ts", "pages neither skip nor repeat a row, under any sort and filter"],
  ],
  Filters: [
    ["test/activity-logs/days.test.ts", "exactly the entries whose date by Intl is in the range"],
    [
      "test/subscriptions/reminder-filter.test.ts",
      "the filter finds exactly the subscriptions that show this status",
    ],
  ],
  "`search`": [
    [
      "test/profiles/search-index.test.ts",
      "any substring of any field finds exactly the profiles that contain it",
    ],
    ["test/profiles/search-terms.test.ts", "every character means itself, and no term fails"],
  ],
  "Lines for one entity with one plan's intervals make one subscription": [
    ["test/subscriptions/create.test.ts", "by entity and the plans' intervals and cycle limits"],
    ["test/subscriptions/create-once.test.ts", "where the last entry cannot be written, nothing is"],
  ],
  Dates: [
    ["src/domain/subscriptions/dates/cadence.test.ts", "never drifts: n months on is the anchor's day"],
    ["src/domain/subscriptions/dates/cadence-billing.test.ts", "no computed date lies before today"],
    ["test/billing/recurring.test.ts", "the 31st of January, and every month's end after it"],
    [
      "test/subscriptions/day-of-month.test.ts",
      "a schedule of the 31st that is changed in February stays one",
    ],
    ["src/domain/subscriptions/dates/anchor.test.ts", "in months and years it keeps its day of the month"],
  ],
  "Where it goes": [
    ["test/subscriptions/create-schedule.test.ts", "without an address of its own: the profile's"],
    ["test/subscriptions/create-schedule.test.ts", "a country that nobody knows, without its code: 409"],
  ],
  Total: [
    [
      "src/domain/subscriptions/lines/amounts-properties.test.ts",
      "totals reconcile with the lines to the minor unit, and nothing is below 0",
    ],
  ],
  States: [
    ["src/domain/subscriptions/lifecycle.test.ts", "covers every operation and status"],
    ["test/operations/table.test.ts", "the table has a cell for every operation and state"],
  ],
  "A pause does not cost an interval of months": [
    ["test/subscriptions/pauses.test.ts", "it goes on on %s, then on %s"],
    ["test/subscriptions/pauses.test.ts", "stays owed through a pause"],
  ],
  "A skip of deliveries": [
    [
      "src/domain/subscriptions/dates/skipping.test.ts",
      "a year of monthly skips ends on day %i of the month",
    ],
    [
      "src/domain/subscriptions/dates/skipping.test.ts",
      "the n-th date is the former (n+k)-th, for month ends, all units, slots, prepaid and late ones",
    ],
    ["test/operations/skip.test.ts", "and unskip is the identity, also in turn with skips by weeks"],
    ["test/operations/skip.test.ts", "while one is active all but staff must pick one"],
    ["test/operations/skip.test.ts", "undoes the latest, several in turn, and then nothing is left"],
    ["test/webhooks/cycles.test.ts", "is skipped once, however often its webhook comes"],
  ],
  "Closed days move dates, never schedules": [
    [
      "src/domain/subscriptions/dates/closed-dates-properties.test.ts",
      "no date on a closed day, each after the last, none charged or packed after its delivery",
    ],
    [
      "src/domain/subscriptions/dates/closed-dates-properties.test.ts",
      "the anchor; deleting them puts every date back exactly",
    ],
    [
      "src/domain/subscriptions/dates/closed-dates.test.ts",
      "is not charged before tomorrow: rather is it put off",
    ],
    [
      "src/domain/subscriptions/dates/closed-dates.test.ts",
      "is not charged before a date that a reminder has told",
    ],
    [
      "test/delivery/closed-days.test.ts",
      "billing itself looks at the calendar before the dates have followed",
    ],
    [
      "test/delivery/closed-days.test.ts",
      "what is upcoming over closed days is what is then billed and delivered",
    ],
    [
      "test/delivery/closed-days-run.test.ts",
      "a prepaid plan over closed days makes each delivery that is paid for, before it is charged again",
    ],
    [
      "test/delivery/closed-days-late.test.ts",
      "a date that stayed where it was moved goes on from there, not back to a day that has passed",
    ],
    ["test/delivery/closed-days-run.test.ts", "move nothing here, and are not found"],
    ["test/goods/proof.test.ts", "the goods of eight weeks are those that were forecast, cell by cell"],
  ],
  "Nothing is charged before `no_charge_before`": [
    ["test/imports/no-charge-before.test.ts", "ship-now is 409 and names the day"],
    ["test/imports/no-charge-before.test.ts", "of a delivery that a customer or the merchant moves"],
    ["test/imports/no-charge-before.test.ts", "a date before it waits for it"],
  ],
  "A skip never bills today": [
    ["src/domain/subscriptions/dates/skipping.test.ts", "nothing is billed before tomorrow"],
    ["test/operations/skip.test.ts", "leaves a delivery that is late out, and is not billed today"],
  ],
  "Every change is one atomic write with one entry": [
    [
      "test/operations/concurrency.test.ts",
      "mixed: one entry for each that changed it, and the row is what they say",
    ],
    [
      "test/operations/model.test.ts",
      "random histories of a subscription agree with a model of the rules after each step",
    ],
  ],
  "A change of many records is one atomic write, too": [
    [
      "test/operations/concurrency.test.ts",
      "instructions for all at once: decided anew as often as others change one of them meanwhile",
    ],
    [
      "test/operations/concurrency.test.ts",
      "instructions for all at once: where others never stop, 409 and none is changed",
    ],
  ],
  "Every entry is an event": [
    ["test/events/stream.test.ts", "has every entry of the history, in the order of the changes"],
    ["test/events/profiles.test.ts", "the fields by their names, never what they say"],
  ],
  "Every changing operation takes `?dry_run=true`": [
    [
      "test/operations/dry-run.test.ts",
      "returns what the real call then returns; writes nothing, sends nothing",
    ],
    ["test/billing/dry-run-charges.test.ts", "an operation charges what its dry run says"],
  ],
  "A cycle is charged once": [
    ["test/billing/layers.test.ts", "one attempt at a cycle succeeds"],
    [
      "src/domain/billing/snapshot.test.ts",
      "a key is made of what the attempt is at, each part of it, and of nothing else",
    ],
    ["test/billing/ship-now-repeated.test.ts", "at once are one attempt, one charge, one order"],
  ],
  "For ten minutes after any attempt a ship-now starts none": [
    ["test/billing/ship-now-repeated.test.ts", "and for ten minutes after, finished or not"],
    ["test/billing/ship-now-repeated.test.ts", "allow_repeat: true is the only way to another attempt"],
  ],
  "Failures have a class": [
    ["test/shopify/failures.test.ts", "the subscription %s, as Shopify says"],
    [
      "test/billing/waiting.test.ts",
      "for weeks ends nobody, and once it is on again the cycle is charged once",
    ],
  ],
  Dunning: [
    ["test/billing/dunning.test.ts", "by cron, to the minute, in real time"],
    ["test/billing/dunning.test.ts", "the final action %s: %s"],
  ],
  "A customer is told of a decline for good once, or perhaps not at all": [
    ["test/shopify/payment-update.test.ts", "never twice, even when"],
  ],
  "A customer who asks for that e-mail": [
    ["test/portal/payment-update.test.ts", "an Idempotency-Key sends it once"],
    ["test/portal/payment-update.test.ts", "the fourth is 429, in a dry run too"],
    [
      "test/portal/payment-update.test.ts",
      "for a day the store is not asked about this payment method again",
    ],
    ["test/portal/payment-update.test.ts", "the sandbox store takes the request, and has nothing to send"],
  ],
  "After an outage one order is made": [
    [
      "test/billing/recurring.test.ts",
      "where the delivery's day has passed, the catch-up is delivered on the slot's earliest",
    ],
    ["src/domain/subscriptions/dates/next-after.test.ts", "the earliest delivery is on the slot's day"],
  ],
  "`upcoming` says what happens if nobody acts and every payment that is tried succeeds": [
    ["test/billing/upcoming-states.test.ts", "the orders made are those that upcoming showed"],
    ["test/billing/upcoming-happens.test.ts", "the deliveries of a year are those that upcoming projected"],
  ],
  "A cycle that is billed on its own day is delivered as planned": [
    [
      "test/billing/keeps-schedule.test.ts",
      "a cycle that is billed on its own day is delivered by the schedule",
    ],
  ],
  "What should have been packed before is packed today": [
    [
      "src/domain/subscriptions/dates/cadence-billing.test.ts",
      "with today on or before delivery all three are from today on",
    ],
  ],
  "`PUT /api/account`": [
    [
      "test/settings/account.test.ts",
      "only the named fields change, and the response is the changed account",
    ],
    ["test/settings/history.test.ts", "says who changed what, from what to what"],
  ],
  "An account on the sandbox store has a time of its own": [
    [
      "test/settings/test-clock-runs.test.ts",
      "resumes, retries, reminders and cycles on the way, each on its day",
    ],
    ["test/settings/test-clock.test.ts", "tokens read real time, and the ten minutes of ship-now"],
  ],
  "At least once": [
    [
      "test/webhook-endpoints/faults.test.ts",
      "whatever endpoints answer, and whatever is lost: each event is delivered",
    ],
    ["test/webhook-endpoints/deliveries.test.ts", "by the next tick where the message was lost"],
  ],
  "One id": [
    ["test/webhook-endpoints/deliveries.test.ts", "ten times in all, always with the same id"],
    ["test/webhook-endpoints/endpoints.test.ts", "is sent again, whatever became of it, under the same id"],
  ],
  "No order on delivery": [
    ["test/events/stream.test.ts", "has every entry of the history, in the order of the changes"],
  ],
  "No gaps to miss": [
    ["test/events/stream.test.ts", "grows in the order of commits, whatever the order of ids and instants"],
    ["test/events/stream.test.ts", "is read on from where one was, and says whether there is more"],
  ],
  "The record as it is when sent": [
    ["test/webhook-endpoints/deliveries.test.ts", "with the record as its GET answers it"],
    ["test/webhook-endpoints/erasure.test.ts", "carries nothing personal"],
  ],
  "An offer to customers who are about to leave takes effect exactly where it was accepted": [
    ["test/cancellation/outcomes.test.ts", "an effect is there exactly where its offer was accepted"],
    ["test/cancellation/cases.test.ts", "%s does what it says in one batch with its acceptance"],
    ["test/cancellation/cases.test.ts", "of 20 at once one takes effect"],
    ["test/cancellation/cases.test.ts", "within the cooldown of a customer one takes effect"],
    ["test/cancellation/cases.test.ts", "offers stay as they were when the case was opened"],
  ],
  "An accepted offer has SAVED a subscription": [
    ["test/cancellation/outcomes.test.ts", "%s: pending until a charge at full terms, then saved"],
    ["test/cancellation/outcomes.test.ts", "%s: lost where the subscription is cancelled before that"],
    ["test/cancellation/outcomes.test.ts", "a charge that was under way at the acceptance proves nothing"],
  ],
  "Leaving is never made hard": [
    ["test/browser/leaving.test.ts", "somebody leaves in two clicks, past the offers as with them"],
    ["test/cancellation/cases.test.ts", "cancelling in one step closes the open case"],
    [
      "test/cancellation/cases.test.ts",
      "confirming cancels for the case's reason, also where that was deleted",
    ],
  ],
  "A slot's cut-off": [
    ["test/delivery/cutoff.test.ts", "a customer is refused %i minutes after it, by a dry run too"],
    ["test/delivery/cutoff.test.ts", "staff and the merchant's key make it whenever they want"],
    ["src/domain/delivery/cutoff.test.ts", "the cut-off lies %s"],
    ["test/portal/cutoff.test.ts", "the page says until when the delivery can be changed"],
  ],
  "A slot's room": [
    ["test/delivery/room.test.ts", "of requests at once, one takes the last place"],
    ["test/delivery/room.test.ts", "on creation of several groups, as a whole or none"],
    ["test/delivery/over-full.test.ts", "renewals go on where the schedule brings more"],
    ["test/delivery/counts-model.test.ts", "the counts of places equal a recount from the rows"],
  ],
  "The row is the truth, the queue a hint": [
    [
      "test/billing/recurring-messages.test.ts",
      "delivered twice, in parallel and late: one charge, one order",
    ],
    [
      "test/billing/recurring-messages.test.ts",
      "a lost one is sent again by a tick after a minute, not before",
    ],
  ],
  "The key is the fence": [
    [
      "src/domain/billing/snapshot.test.ts",
      "a key is made of what the attempt is at, each part of it, and of nothing else",
    ],
    ["test/billing/faults.test.ts", "a database restored to before the charge asks under the same key"],
  ],
  "An unknown outcome blocks": [
    ["test/billing/faults.test.ts", "row 17: absence is not trusted before the quiet period"],
    ["test/billing/faults.test.ts", "row 15: a store that never answers: REVIEW and an alert"],
  ],
  "The consequences of a charge are one batch": [
    ["test/billing/crash-points.test.ts", "the consumer dies %s the commit of"],
    ["test/billing/layers.test.ts", "the batch of a settlement fails if another claim holds the lease"],
  ],
};
