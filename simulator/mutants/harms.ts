import { billing, edit, type Mutant } from "./edits.ts";

const moves = "test/operator/move-races.test.ts";
const deliveries = "test/webhook-endpoints/lost-deliveries.test.ts";
const endpoints = "src/domain/webhook-endpoints";
const reconciling = "test/shopify/reconcile-refused.test.ts";
const meanwhile = "test/shopify/plans-meanwhile.test.ts";
const origins = "test/billing/reconcile-origins.test.ts";
const restoring = "test/billing/reconcile.test.ts";
const batches = "test/jobs/long-batches.test.ts";
const move = "src/edges/operator/move";
const keepsSchedule = "test/billing/keeps-schedule.test.ts";

/** Bugs that random schedules hardly reach; the test that is named for each states whom it harms. */
export const harmMutants: Mutant[] = [
  {
    name: "the last retry day ends what is being paid",
    what: "a customer whose new card is tried after the last retry day is cancelled, and pays in time",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        'if (step.status === "EXHAUSTED" && !failure.triesAgain) {',
        'if (step.status === "EXHAUSTED") {',
      ),
    ],
    caughtBy: { file: "test/billing/last-retry-day.test.ts", test: "and pays, is not cancelled" },
  },
  {
    name: "the provider's failure is a decline",
    what: "customers are in dunning, and lose their subscriptions, because of the merchant's payment provider",
    edits: [
      edit(
        "src/stores/shopify/declines.ts",
        'PAYMENT_PROVIDER_ERROR: "merchant"',
        'PAYMENT_PROVIDER_ERROR: "retry"',
      ),
    ],
    caughtBy: { file: "test/shopify/failures.test.ts", test: "(payment) with PAYMENT_PROVIDER_ERROR:" },
  },
  {
    name: "left without the object's fence",
    what: "a write through a torn fence of the object is lost when the account goes to D1",
    edits: [
      edit(
        `${move}/continue-move.ts`,
        "      await commit({ db: ports.object }, [guardFence(fence)]);\n",
        "",
      ),
    ],
    caughtBy: { file: moves, test: "an object whose fence is torn is not left for D1" },
  },
  {
    name: "moved before all isolates know",
    what: "an isolate that has kept the account shows customers the copy that nobody writes to any more",
    edits: [edit(`${move}/state.ts`, "export const noticeMs = 35_000;", "export const noticeMs = 5_000;")],
    caughtBy: { file: moves, test: "shows no customer what they had before their change" },
  },
  {
    name: "the old copy goes at once",
    what: "a request that was begun before the account moved finds none of its records",
    edits: [
      edit(
        `${move}/finish-leaving.ts`,
        "waitMs(since, ports.now, leavingMs);",
        "waitMs(since, ports.now, 0);",
      ),
    ],
    caughtBy: { file: moves, test: "finds its records until it has ended" },
  },
  {
    name: "two calls of a move",
    what: "a call that was overtaken moves the account without what was written since it compared",
    edits: [
      edit(
        "src/edges/operator/as-read.ts",
        "isNull(accounts.moving) : eq(accounts.moving, moving);",
        "isNull(accounts.moving) : eq(accounts.id, id);",
      ),
    ],
    caughtBy: { file: moves, test: "a call of a move that is overtaken by another moves nothing" },
  },
  {
    name: "sent again with its old count",
    what: "an event that ten tries have failed to send is given up untried when somebody has it sent again",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        '"PENDING", attempt_count: 0, next_attempt_at: ctx',
        '"PENDING", next_attempt_at: ctx',
      ),
    ],
    caughtBy: { file: deliveries, test: "is sent also where ten tries have failed" },
  },
  {
    name: "a second recovery cuts the first short",
    what: "events that the first recovery has not come to are never sent",
    edits: [edit(`${endpoints}/recover.ts`, "sql`MIN(COALESCE(", "sql`MAX(COALESCE(")],
    caughtBy: {
      file: deliveries,
      test: "that is asked for while another one goes on takes nothing from that",
    },
  },
  {
    name: "a refused page goes on",
    what: "messages about an endpoint that was disabled beget each other for ever",
    edits: [
      edit(
        `${endpoints}/recover.ts`,
        "if (isGuard(error)) return;\n    throw error;",
        "if (!isGuard(error)) throw error;",
      ),
    ],
    caughtBy: { file: deliveries, test: "sends nothing more once its endpoint was disabled" },
  },
  {
    name: "what is sent asks for no enabled endpoint",
    what: "every minute a message is sent about an endpoint that was disabled as a recovery of it was asked for, for ever",
    edits: [edit(`${endpoints}/enabled.ts`, " AND is_enabled = 1)", ")")],
    caughtBy: { file: deliveries, test: "does not begin at an endpoint that is disabled meanwhile" },
  },
  {
    name: "a resend waits at a disabled endpoint",
    what: "a delivery waits for ever at an endpoint that was disabled while it was to be sent again",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        "const [delivery] = await commitIfEnabled(ctx, endpointId, statement(due));",
        "const [{ rows: [delivery] }] = await commit(ctx, [statement(due)]);",
      ),
    ],
    caughtBy: {
      file: deliveries,
      test: "is refused, and stays cancelled, where its endpoint is disabled meanwhile",
    },
  },
  {
    name: "a mail is sent again after they were switched off",
    what: "a mail goes to a customer although the merchant has switched mails off meanwhile",
    edits: [edit("src/domain/mail/actions/resend.ts", "      guardEnabled(ctx, endpoint.id),\n", "")],
    caughtBy: {
      file: "test/mail/kept.test.ts",
      test: "nothing where mails are switched off meanwhile",
    },
  },
  {
    name: "a test is sent at a disabled endpoint",
    what: "a test event waits for ever at an endpoint that was disabled while it was sent",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        "commitIfEnabled(ctx, endpointId, insertRow(eventDeliveries, delivery))",
        "commit(ctx, [insertRow(eventDeliveries, delivery)])",
      ),
    ],
    caughtBy: {
      file: deliveries,
      test: "a test event is not sent to an endpoint that is disabled meanwhile",
    },
  },
  {
    name: "a page ends within an instant",
    what: "events of the instant at which a page of a recovery ends are never sent",
    edits: [edit(`${endpoints}/recover.ts`, "(created_at, sequence) > (?, ?)", "created_at > ? AND 0 <= ?")],
    caughtBy: {
      file: deliveries,
      test: "misses none of more events than a page holds that came in one instant",
    },
  },
  {
    name: "recorded without the lease",
    what: "a sender whose lease has ended makes others send what is being sent",
    edits: [
      edit(`${endpoints}/outbox.ts`, 'fence: ["attempt_count", "lease_until"],', 'fence: ["attempt_count"],'),
    ],
    caughtBy: { file: deliveries, test: "takes the delivery from nobody who sends it now" },
  },
  {
    name: "recorded over a resend",
    what: "a try that was under way gives up what somebody has just had sent again",
    edits: [edit(`${endpoints}/outbox.ts`, 'fence: ["attempt_count", "lease_until"],', "")],
    caughtBy: { file: deliveries, test: "is not given up by the last of the ten tries" },
  },
  {
    name: "what is not sent yet is pruned",
    what: "an old event that was sent again by hand is deleted before it is delivered",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        'and(lt(created_at, monthAgo), ne(status, "PENDING"))',
        "lt(created_at, monthAgo)",
      ),
    ],
    caughtBy: { file: deliveries, test: "is kept for its tries though it is a month old" },
  },
  {
    name: "a plan is sent as it was",
    what: "a plan that is changed or deleted while it is sent stays at the store as it was",
    edits: [edit("src/domain/selling-plans/outbox.ts", '  mark: ["version"],\n', "")],
    caughtBy: { file: meanwhile, test: "a plan that is changed while it is sent is sold as it was changed" },
  },
  {
    name: "a plan made anew is forgotten",
    what: "a plan that is made anew while its old one is removed is never at the store",
    edits: [
      edit(
        "src/kit/outbox/outbox.ts",
        ".where(and(isAsRead(work), ...isUnmarked(work))));",
        ".where(isAsRead(work)));",
      ),
    ],
    caughtBy: { file: meanwhile, test: "a plan that is made anew while its old one is removed is sold" },
  },
  {
    name: "a refused attempt keeps its key",
    what: "a charge that a restore has undone is not recorded where an attempt with its key was refused before",
    edits: [edit("src/domain/billing/reconcile/page.ts", " || attempt.is_refused === 1", "")],
    caughtBy: { file: reconciling, test: "also where an earlier attempt with its key was refused" },
  },
  {
    name: "the wrong attempt of a key",
    what: "people are told to refund what a customer has paid for, as an earlier attempt with the key was refused",
    edits: [edit("src/domain/billing/reconcile/page.ts", "rank(one) - rank(other) || ", "")],
    caughtBy: { file: reconciling, test: "of attempts that share a key the one that was charged counts" },
  },
  {
    name: "throttled claims count",
    what: "people have to settle a payment because the store was busy",
    edits: [edit(`${billing}/wait.ts`, "        uncounted_claims: uncounted_claims + 1,\n", "")],
    caughtBy: {
      file: "test/shopify/throttled.test.ts",
      test: "(after a request that was lost) has nobody look at a payment that it then makes",
    },
  },
  {
    name: "messages overtake each other",
    what: "a charge that does not fit is overtaken by what was to come after it",
    edits: [edit("src/runtime/jobs/batch.ts", "      taken.add(subject);\n", "")],
    caughtBy: {
      file: "test/jobs/batch.test.ts",
      test: "a message that does not fit is overtaken by none about the same subscription",
    },
  },
  {
    name: "accounts are read once",
    what: "a job that is begun minutes after its batch follows settings that the merchant has changed",
    edits: [edit("src/runtime/jobs/consume.ts", "!last || Date.now() - last.at > freshMs", "!last")],
    caughtBy: { file: batches, test: "a job that is begun late in its batch follows the settings of then" },
  },
  {
    name: "a failed message comes at once",
    what: "a store or a database that is away is asked without a pause, until the message is dead",
    edits: [
      edit(
        "src/runtime/jobs/consume.ts",
        "message.retry({ delaySeconds: doublingPause(retryPauses, message.attempts) })",
        "message.retry()",
      ),
    ],
    caughtBy: { file: batches, test: "a message that has failed 1 times comes again after 10 seconds" },
  },
  {
    name: "a wait beside another try",
    what: "a subscription is said to wait for the merchant though the customer's other method is tried",
    edits: [edit(`${billing}/consequences.ts`, "  if (triesAgain) return {};\n", "")],
    caughtBy: {
      file: "test/billing/waiting.test.ts",
      test: "nobody waits for the merchant's provider where the customer's other payment method is tried",
    },
  },
  {
    name: "who has left is sent an order",
    what: "a charge that a restore has undone makes an order of a subscription that was cancelled since",
    edits: [
      edit(
        "src/domain/billing/reconcile/record-missing.ts",
        "      if (isOver(row)) return afterItsEnd(ctx, view, charge);\n",
        "",
      ),
    ],
    caughtBy: { file: origins, test: "nothing is sent to who left" },
  },
  {
    name: "a charge to come is reported",
    what: "somebody refunds a charge that a restore has undone, and billing records it the next day as what pays an order",
    edits: [
      edit(
        "src/domain/billing/reconcile/page.ts",
        " && mayStillCome(ctx, charge))",
        ' && charge.key === "")',
      ),
    ],
    caughtBy: { file: restoring, test: "because another attempt is open" },
  },
  {
    name: "a charge to come is forgotten",
    what: "a charge that billing has still to record is compared for three days only, and nobody is told of it after",
    edits: [
      edit(
        "src/domain/billing/reconcile/nightly.ts",
        "is_unsettled && unsettled < usual ? unsettled",
        "is_unsettled && unsettled < usual ? usual",
      ),
    ],
    caughtBy: { file: restoring, test: "because another attempt is open" },
  },
  {
    name: "every recorded charge is a ship-now",
    what: "a charge of the schedule that a restore has undone moves the customer's dates",
    edits: [
      edit(
        "src/domain/billing/reconcile/record-missing.ts",
        '? "RECURRING" : "SHIP_NOW"',
        '? "SHIP_NOW" : "SHIP_NOW"',
      ),
    ],
    caughtBy: { file: origins, test: "moves the schedule as it did, and is no ship-now" },
  },
  {
    name: "packed on another day than asked",
    what: "a ship-now that names another day of packing is answered with one that is packed on the former",
    edits: [
      edit(
        `${billing}/ship-now.ts`,
        "[delivery_date, slot_id ?? null, production_date]",
        "[delivery_date, slot_id ?? null, production_date === null]",
      ),
    ],
    caughtBy: { file: "test/billing/ship-now-differs.test.ts", test: "asks for another day of packing" },
  },
  {
    name: "ten minutes of a clock that stands still",
    what: "a ship-now is never more than a repetition while an account's test clock stands still",
    edits: [
      edit(
        `${billing}/ship-now.ts`,
        "later(requested_at, repeatMs) > realNow && later(created_at, repeatMs) > now",
        "requested_at <= realNow && later(created_at, repeatMs) > now",
      ),
    ],
    caughtBy: { file: "test/settings/test-clock.test.ts", test: "end by the clock that is first" },
  },
  {
    name: "a challenge of another cycle pays this one",
    what: "a cycle is never billed, as the customer has confirmed late what an earlier one was to be paid with",
    edits: [
      edit(
        `${billing}/earlier-challenge.ts`,
        "        eq(expired.cycle, present.cycle),\n",
        "        gte(present.cycle, expired.cycle),\n",
      ),
      edit(
        `${billing}/earlier-challenge.ts`,
        "import { and, desc, eq, get",
        "import { and, desc, eq, gte, get",
      ),
    ],
    caughtBy: { file: "test/webhooks/late-challenge.test.ts", test: "the next cycle is charged as usual" },
  },
  {
    name: "one cycle more than was agreed",
    what: "a customer is charged by a ship-now after the last cycle of the plan",
    edits: [
      edit(
        `${billing}/start.ts`,
        "  if (isBeyondLastCycle(row))\n    throw notBillable",
        "  if (isBeyondLastCycle(row) && row.next_delivery_date === null)\n    throw notBillable",
      ),
    ],
    caughtBy: {
      file: "test/billing/ship-now-refused.test.ts",
      test: "after its last cycle it is not billable",
    },
  },
  {
    name: "an unskip drops owed deliveries",
    what: "a customer who takes a skip back is charged before the deliveries that are paid for",
    edits: [
      edit(
        "src/domain/subscriptions/actions/skip.ts",
        "next_billed_index: previous_index + deliveriesOwed(row),",
        "next_billed_index: previous_index,",
      ),
    ],
    caughtBy: { file: "test/operations/skip.test.ts", test: "and unskip keeps them too" },
  },
  {
    name: "a wait counts for one decline",
    what: "a customer has fewer days to pay, as the merchant's provider was off",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        "    retries_from,\n    attempt_count",
        "    ...(known ? {} : { retries_from }),\n    attempt_count",
      ),
    ],
    caughtBy: { file: "test/billing/waiting.test.ts", test: "and stay there after each further decline" },
  },
  {
    name: "a billing in the past",
    what: "a subscription whose skip is taken back shows a charge and a packing of yesterday, which no list of a day has",
    edits: [
      edit(
        "src/domain/subscriptions/actions/skip.ts",
        "(date !== null && date < today ? today : date);",
        '(date !== null && date < "2" ? today : date);',
      ),
    ],
    caughtBy: { file: "test/operations/skip.test.ts", test: "whose billing day has passed bills it today" },
  },
  {
    name: "a cycle too many in the history",
    what: "a merchant reads that a subscription that has ended was billed once more than it was",
    edits: [
      edit(
        `${billing}/process-due.ts`,
        "metadata: { cycles: row.current_billing_cycle - 1 },",
        "metadata: { cycles: row.current_billing_cycle },",
      ),
    ],
    caughtBy: {
      file: "test/billing/prepaid.test.ts",
      test: "EXPIRED after the last delivery that is paid for",
    },
  },
  {
    name: "packed on a day that has passed",
    what: "the order of a ship-now that is paid for late is in no list of what is to be packed",
    edits: [
      edit(
        "src/domain/billing/repeated-delivery.ts",
        "return { ...deliveryFrom(planned, calendar), delivery_slot_id, isOffSchedule };",
        "return { delivery_date, production_date, delivery_slot_id, isOffSchedule };",
      ),
    ],
    caughtBy: { file: keepsSchedule, test: "packed today where the day of packing has passed" },
  },
  {
    name: "delivered on a day that was closed since",
    what: "a ship-now that is paid for late is promised for a day on which nobody delivers",
    edits: [
      edit(
        "src/domain/billing/repeated-delivery.ts",
        'delivery_date >= today && isOpenOn(calendar, "delivery", delivery_date)',
        'delivery_date >= today && (isOpenOn(calendar, "delivery", delivery_date) || delivery_date > today)',
      ),
    ],
    caughtBy: { file: keepsSchedule, test: "but on another day where that was closed meanwhile" },
  },
  {
    name: "a stated amount less the store's taxes",
    what: "a person states what was charged, and the history has less",
    edits: [
      edit(
        `${billing}/review.ts`,
        "{ amount: stated, tax_amount: 0, fees_amount: 0, isStated: true }",
        "{ amount: stated, isStated: true }",
      ),
    ],
    caughtBy: {
      file: "test/webhooks/orders-of-charges.test.ts",
      test: "the amount that a person states is recorded as it is",
    },
  },
  {
    name: "a challenge of another life pays this one",
    what: "who has come back is never billed, as they have confirmed late what their former life was to be paid with",
    edits: [
      edit(`${billing}/earlier-challenge.ts`, "        eq(expired.activation, present.activation),\n", ""),
    ],
    caughtBy: { file: "test/webhooks/late-challenge.test.ts", test: "the new life is charged as usual" },
  },
  {
    name: "a sold address noted as it is now",
    what: "an address that was changed while its contract was imported is noted as the one that it was sold with, and never sent",
    edits: [
      edit(
        "src/domain/contracts/import.ts",
        "address: deliveryAddressOf(row) }",
        "address: deliveryAddressOf((await getSubscription(ctx, row.id)).row) }",
      ),
      edit(
        "src/domain/contracts/import.ts",
        "import { deliveryAddressOf } from",
        'import { getSubscription } from "../subscriptions/queries.ts";\nimport { deliveryAddressOf } from',
      ),
    ],
    platform: "shopify",
    caughtBy: {
      file: "test/webhooks/checkout.test.ts",
      test: "before the one of the checkout is noted is sent",
    },
  },
  {
    name: "an address restated without a mark",
    what: "a calculation of the delivery's price states the address that it has read, after another was sent, which is taken to be there still",
    edits: [
      edit(
        "src/stores/shopify/contracts/contract-calculation.ts",
        "if (input.deliveryMethod) await",
        "if (changes.terms.deliveryMethod) await",
      ),
    ],
    platform: "shopify",
    caughtBy: {
      file: "test/shopify/sync-by-calculation.test.ts",
      test: "an address is sent again if a change of the delivery's price has restated an older one",
    },
  },
  {
    name: "a sold address noted over another",
    what: "the address that a contract was sold with is noted although another has been sent since, and is not sent again",
    edits: [
      edit(
        "src/stores/shopify/deliveries.ts",
        ", isNull(shopifyContracts.delivery));",
        ", isNull(shopifyContracts.delivery) && undefined);",
      ),
    ],
    platform: "shopify",
    caughtBy: {
      file: "test/webhooks/checkout.test.ts",
      test: "that is sent as well once it is chosen again",
    },
  },
  {
    name: "an address is noted for any contract",
    what: "an address that was sent late to the contract of an earlier life counts as sent to that of the new one",
    edits: [
      edit(
        "src/stores/shopify/deliveries.ts",
        "JSON.stringify([contractId, address])",
        "JSON.stringify([contractId && 0, address])",
      ),
    ],
    platform: "shopify",
    caughtBy: {
      file: "test/shopify/sync.test.ts",
      test: "is sent to the contract of a new life, though that of the earlier one was sent the same late",
    },
  },
  {
    name: "a contract that was left is listed",
    what: "staff are told that a contract was not taken over, which a reactivation has left and which ends",
    edits: [
      edit("src/domain/contracts/unsupported.ts", "former_contract_id = ?2)", "former_contract_id = -?2)"),
    ],
    platform: "shopify",
    caughtBy: {
      file: "test/webhooks/unsupported-contracts.test.ts",
      test: "a contract that is taken over, and left by a reactivation",
    },
  },
  {
    name: "a lost retry is not sent again",
    what: "a customer asks for their payment to be tried, again and again, and nothing happens until the next sweep",
    edits: [
      edit(
        `${billing}/retry-payment.ts`,
        'open.status === "QUEUED" ? [chargeJob(ctx.account.id, open)] : []',
        "open ? [] : [chargeJob(ctx.account.id, open)]",
      ),
    ],
    caughtBy: { file: "test/billing/retry-payment.test.ts", test: "sends the message anew that was lost" },
  },
  {
    name: "a restored account sends nothing again",
    what: "a store goes on with the address that was sent in the time that a restore has undone",
    edits: [edit("src/edges/operator/after-restore.ts", "  await sendAllAgain(db, accountId);\n", "")],
    caughtBy: { file: "test/operator/door.test.ts", test: "and its store gets all again" },
  },
];
