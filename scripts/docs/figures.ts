/**
 * The costs of requests, jobs and records. Tests in test/scale measure each figure and hold it exactly; `npm run docs` writes those of
 * requests and writes into docs/change/costs.md, and what a month costs into docs/run/choose.md.
 */

export type JobCost = { trips: number; statements: number };

/** `rows` are those that are written; `keyed` those of the same request with an Idempotency-Key. */
export type WriteCost = { trips: number; rows: number; keyed: number | null };

/** The most that a request of each kind asks of the database, but for those that are named beside it. */
export const requestCosts = {
  reads: { statements: 11, trips: 4 },
  writes: { statements: 22, trips: 7 },
  /** A forecast of goods that was not taken, of 2,000 subscriptions in two pages. */
  forecast: { statements: 17, trips: 4 },
} satisfies Record<string, JobCost>;

/** The statements of a cron tick where one record of each kind is due. */
export const tickStatements = 60;

/** Statements of an import: for a page of 25 rows that is checked, and for a row with a new customer that is written. */
export const importCosts = { statementsOfPage: 14, statementsOfRow: 12 };

/** A write of a request whose credentials are cached, about a subscription with one line. */
export const writeCosts = {
  "to create a subscription": { trips: 2, rows: 22, keyed: 25 },
  "to create one in a slot with a bound": { trips: 3, rows: 24, keyed: 27 },
  "to skip, with a reason": { trips: 2, rows: 14, keyed: 17 },
  "to pause": { trips: 2, rows: 16, keyed: 19 },
  "to cancel": { trips: 2, rows: 17, keyed: 20 },
  "to add a line": { trips: 2, rows: 11, keyed: 14 },
  "to add an item of the catalogue, by its customer": { trips: 2, rows: 13, keyed: 16 },
  "to change the frequency, by its customer": { trips: 2, rows: 13, keyed: null },
  "to change the date and the slot": { trips: 2, rows: 15, keyed: null },
  "to change the payment method": { trips: 2, rows: 16, keyed: null },
  "to ship now": { trips: 2, rows: 15, keyed: 18 },
  "the charge of it": { trips: 4, rows: 33, keyed: null },
} satisfies Record<string, WriteCost>;

/** A job about one record, on the sandbox store, beside one trip in which the accounts of the batch are read. */
export const jobCosts: Record<string, Record<string, JobCost>> = {
  sync_contract: {
    "of a subscription without one": { trips: 3, statements: 6 },
    "of one that has it": { trips: 1, statements: 1 },
  },
  sync_plan: {
    "of the sandbox store": { trips: 0, statements: 0 },
  },
  set_up_store: {
    "of the sandbox store": { trips: 1, statements: 1 },
  },
  find_due: {
    "on the schedule": { trips: 1, statements: 1 },
    "in dunning": { trips: 1, statements: 1 },
    "to be reminded of": { trips: 5, statements: 7 },
    "cards that expire": { trips: 6, statements: 8 },
  },
  process_due: {
    "a billing": { trips: 2, statements: 7 },
    "a retry": { trips: 2, statements: 7 },
    "the end of a pause": { trips: 2, statements: 6 },
    "a delivery that is paid for": { trips: 2, statements: 9 },
    "nothing that is due": { trips: 1, statements: 3 },
  },
  charge: {
    "that is paid": { trips: 4, statements: 19 },
    "that is declined": { trips: 4, statements: 20 },
    "that is challenged": { trips: 4, statements: 14 },
    "that the store does not answer": { trips: 3, statements: 8 },
    "that has been made": { trips: 1, statements: 4 },
  },
  follow_closed_days: {
    "with nothing to move": { trips: 14, statements: 15 },
    "five dates": { trips: 5, statements: 21 },
  },
  reconcile: {
    "a charge that is recorded, and one that is not": { trips: 9, statements: 10 },
  },
  reconcile_disputes: {
    "at a store without any": { trips: 0, statements: 0 },
  },
  reconcile_refunds: {
    "at a store that others do not use": { trips: 0, statements: 0 },
  },
  notify_customer: {
    "that is not wanted any more": { trips: 3, statements: 3 },
  },
  refund_order: {
    "that is paid back": { trips: 9, statements: 18 },
  },
  erase_profile: {
    "of a customer": { trips: 31, statements: 33 },
  },
  carry_out: {
    "of nobody who is known": { trips: 4, statements: 4 },
  },
  refresh_contract: {
    "one that could not be taken over": { trips: 2, statements: 2 },
  },
  refresh_payment_method: {
    "that subscriptions are paid with": { trips: 1, statements: 1 },
  },
  request_login: {
    "of a customer": { trips: 2, statements: 4 },
    "of nobody": { trips: 1, statements: 1 },
  },
  mail_staff_link: {
    "of a member of staff": { trips: 3, statements: 5 },
    "of nobody else": { trips: 1, statements: 1 },
  },
  work_job: {
    "a forecast": { trips: 5, statements: 16 },
  },
  work_rows: {
    "a bulk": { trips: 7, statements: 16 },
    "a bulk that is undone": { trips: 7, statements: 17 },
  },
  take_forecast: {
    "of a night": { trips: 2, statements: 7 },
  },
};

/** The rows that are written when somebody is told, and of a creation and a renewal with all that is told of them. */
export const toldCosts = { mail: 10, delivery: 7, creation: 45, renewal: 110 };

/** The rows that a renewal with mails, reminders and an endpoint writes: together those of `toldCosts.renewal`. */
export const renewalRows: Record<string, number> = {
  "four entries of the history, with their indexes by time, record, customer and type": 20,
  "the subscription: its reminder recorded and sent, its charge, its payment, and the dates that change": 10,
  "the attempt, as it starts, is claimed and is settled": 13,
  "the charge of the sandbox store, and its number": 2,
  "the order and its link to the subscription": 13,
  "four deliveries to the endpoint": 28,
  "two mails": 20,
  "the last success of the endpoint and of the mails, to the minute": 4,
};

/** Kilobytes of pages that a subscription with one order takes, and that a renewal leaves for good. */
export const kilobytes = { subscription: 8, renewal: 4.9 };

/** Kilobytes that each renewal leaves, as rows and as indexes. */
export const renewalKilobytes: Record<string, [rows: number, indexes: number]> = {
  "the history": [1.3, 0.7],
  "the order": [0.6, 0.5],
  "the billing attempt": [0.7, 0.3],
  "the two mails": [0.6, 0.3],
  "deliveries to an endpoint and of mails": [1.1, 0.5],
};
