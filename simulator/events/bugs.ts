import type { Network } from "../../src/base/network.ts";
import { raiseSequences } from "../../src/domain/events/actions.ts";
import { listEvents } from "../../src/domain/events/queries.ts";
import { createEndpoint } from "../../src/domain/webhook-endpoints/actions.ts";
import { attempt } from "../../src/domain/webhook-endpoints/attempt.ts";
import { endpointSweep, resend } from "../../src/domain/webhook-endpoints/outbox.ts";
import { afterTry, longAgo, type TryOutcome } from "../../src/domain/webhook-endpoints/outcome.ts";
import { buildPayload } from "../../src/domain/webhook-endpoints/payload.ts";
import { getDelivery } from "../../src/domain/webhook-endpoints/queries.ts";
import { startRecovery } from "../../src/domain/webhook-endpoints/recover.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Has endpoints be asked in another way. */
function fetchOther(other: (fetch: Network["fetch"]) => Network["fetch"]) {
  return replace(attempt, (original) => (network, message) => {
    return original({ ...network, fetch: other(network.fetch) }, message);
  });
}

function answered(other: (outcome: TryOutcome) => TryOutcome) {
  return replace(attempt, (original) => async (network, message) => other(await original(network, message)));
}

/** Bugs in what endpoints are sent: events lost, sent under another id, to others, or held up by another endpoint. */
const endpoints: SeededBug[] = [
  {
    name: "a new id per try",
    what: "webhook-id is another with each try",
    rule: "no event before its commit, and under its id",
    replaces: [
      replace(attempt, (original) => (network, message) => {
        return original(network, { ...message, id: `${message.id} ${message.at.getTime()}` });
      }),
    ],
  },
  {
    name: "an event of another type",
    what: "every event is sent as one of the subscription's creation",
    rule: "an event is sent as it is",
    replaces: [
      replace(buildPayload, (original) => (ctx, endpoint, delivery, event) => {
        return original(ctx, endpoint, delivery, event && { ...event, type: "subscription.created" });
      }),
    ],
  },
  {
    name: "endpoints are sent everything",
    what: "an endpoint that asks for one type is sent all of them",
    rule: "endpoints receive what they ask for",
    replaces: [
      replace(createEndpoint, (original) => (ctx, input) => original(ctx, { ...input, event_types: ["*"] })),
    ],
  },
  {
    name: "events are not looked for",
    what: "an event whose message was lost is never sent",
    rule: "no endpoint waits for another",
    replaces: [sweepNothing(endpointSweep)],
  },
  {
    name: "a recovery begins now",
    what: "whoever asks for the events of a month gets none of them",
    rule: "every event is delivered",
    replaces: [replace(startRecovery, (original) => (ctx, id) => original(ctx, id, ctx.now))],
    times: 3,
  },
  {
    name: "disabled by two failures",
    what: "an endpoint that fails twice in a row is sent nothing any more",
    rule: "no endpoint is disabled too soon",
    replaces: [replace(longAgo, () => (now) => now)],
  },
  {
    name: "a failure is taken for an acceptance",
    what: "an answer of 429 ends the delivery",
    rule: "what is delivered was accepted",
    replaces: [answered((outcome) => (outcome.status === 429 ? { ...outcome, error: null } : outcome))],
  },
  {
    name: "redirects are followed",
    what: "an endpoint leads requests to an address inside",
    rule: "events go to endpoints alone",
    replaces: [fetchOther((fetch) => (url, init) => fetch(url, { ...init, redirect: "follow" }))],
  },
  {
    name: "an answer is read to its end",
    what: "a gigabyte is read",
    rule: "little is read of an answer",
    replaces: [
      fetchOther((fetch) => async (url, init) => {
        const response = await fetch(url, init);
        return response.body ? new Response(await response.arrayBuffer(), response) : response;
      }),
    ],
  },
];

/** Bugs in when events are sent again: by themselves, as an endpoint asks, or as a person does. */
const tries: SeededBug[] = [
  {
    name: "Retry-After is not heard",
    what: "an endpoint that asks for an hour is sent the event again after some seconds",
    replaces: [answered((outcome) => ({ ...outcome, retry_after: null }))],
    times: 3,
  },
  {
    name: "pauses do not grow",
    what: "an endpoint that is down is asked every five seconds",
    replaces: [
      replace(
        afterTry,
        (original) =>
          (delivery, ...made) =>
            original({ ...delivery, attempt_count: 1 }, ...made),
      ),
    ],
  },
  {
    name: "only a failure is resent",
    what: "an event that the receiver has lost after accepting it cannot be had again",
    replaces: [
      replace(resend, (original) => async (ctx, endpointId, id) => {
        const delivery = await getDelivery(ctx, endpointId, id);
        return delivery.status === "DELIVERED" ? delivery : original(ctx, endpointId, id);
      }),
    ],
    times: 3,
  },
].map((bug) => ({ ...bug, rule: "tries of a delivery come as agreed" }));

/** Bugs by which a reader of the stream misses events, or sees some twice. */
const stream: SeededBug[] = [
  {
    name: "numbers are given again",
    what: "after a restore new events take the numbers of those that readers have seen",
    replaces: [replace(raiseSequences, () => async () => 0)],
  },
  {
    name: "the stream by time",
    what: "events stand in the order of their times, which is not that of their commits",
    replaces: [
      replace(listEvents, (original) => async (ctx, query) => {
        const { rows, hasMore } = await original(ctx, query);
        return { rows: rows.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)), hasMore };
      }),
    ],
  },
  {
    name: "a page begins with the last event",
    what: "a reader gets the last event that it has seen again",
    replaces: [
      replace(
        listEvents,
        (original) =>
          (ctx, { after, ...query }) =>
            original(ctx, { ...query, after: after - 1 }),
      ),
    ],
  },
  {
    name: "a page per type",
    what: "of several types those of the first are read, and the others are passed over",
    replaces: [
      replace(listEvents, (original) => (ctx, { filters, ...query }) => {
        return original(ctx, { ...query, filters: filters?.slice(0, 1) });
      }),
    ],
  },
  {
    name: "a full page is the last",
    what: "a reader is told that nothing follows",
    replaces: [
      replace(listEvents, (original) => async (ctx, query) => ({
        ...(await original(ctx, query)),
        hasMore: false,
      })),
    ],
  },
].map((bug) => ({ ...bug, rule: "a reader misses nothing and sees nothing twice" }));

export const eventBugs: SeededBug[] = [...endpoints, ...tries, ...stream];
