import { edit, type Mutant } from "./edits.ts";

const endpoints = "src/domain/webhook-endpoints";
const rule = "tries of a delivery come as agreed";

/** Bugs in when events are sent again: by themselves, as an endpoint asks, or as a person does. */
export const tryMutants: Mutant[] = [
  {
    name: "Retry-After is not heard",
    what: "an endpoint that asks for an hour is sent the event again after some seconds",
    edits: [
      edit(`${endpoints}/outcome.ts`, "if (asked !== undefined) return Math", "if (asked === 0) return Math"),
    ],
    rule,
    times: 3,
  },
  {
    name: "Retry-After for ever",
    what: "an endpoint may put an event off by eleven days",
    edits: [
      edit(
        `${endpoints}/outcome.ts`,
        "Math.min(Math.max(asked, leastMs), mostMs)",
        "Math.min(Math.max(asked, leastMs), 20 * mostMs)",
      ),
    ],
    rule,
    times: 3,
  },
  {
    name: "pauses do not grow",
    what: "an endpoint that is down is asked every five seconds until the tries are spent",
    edits: [
      edit(`${endpoints}/outcome.ts`, "pausesMs[attempt_count - 1] ?? mostMs;", "pausesMs[0] ?? mostMs;"),
    ],
    rule,
  },
  {
    name: "a resend keeps the count",
    what: "a delivery whose tries are spent is asked for again, and is not sent",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        '.set({ status: "PENDING", attempt_count: 0, next',
        '.set({ status: "PENDING", next',
      ),
    ],
    rule,
  },
  {
    name: "only a failure is resent",
    what: "an event that the receiver has lost after accepting it cannot be had again",
    edits: [
      edit(
        `${endpoints}/outbox.ts`,
        "        eq(eventDeliveries.event_id, event_id),\n",
        "        eq(eventDeliveries.event_id, event_id),\n        ne(eventDeliveries.status, 'DELIVERED'),\n",
      ),
    ],
    rule,
    times: 3,
  },
  {
    name: "a recovery gives way to a shorter one",
    what: "whoever asks for the last hour again while the last month is recovered gets the last hour",
    edits: [
      edit(
        `${endpoints}/recover.ts`,
        "COALESCE(${recovering} ->> 'since', ${since}), ${since})",
        "${since}, ${since})",
      ),
    ],
    rule: "every event is delivered",
    times: 3,
  },
];
