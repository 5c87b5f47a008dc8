import { classify } from "../../base/db/commit.ts";
import { DomainError } from "../../base/errors.ts";
import { deliverEventJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { type EventRow, findEvents } from "../events/queries.ts";
import { attempt } from "./attempt.ts";
import { endpointsToWake, takeDue } from "./outbox.ts";
import { isSpent, type TryOutcome } from "./outcome.ts";
import { buildPayload } from "./payload.ts";
import { findEndpoint } from "./queries.ts";
import { giveUpGone, giveUpSpent, recordOutcome, recordUnprepared } from "./record.ts";
import { openSigningSecrets } from "./secrets.ts";
import type { EventDelivery, WebhookEndpoint } from "./tables.ts";
import { findUrlFault } from "./url.ts";

/**
 * Sends the due deliveries of an endpoint, a few at a time. A delivery is sent only after its lease is committed, and each
 * outcome is committed on its own. If this dies at any point, the lease ends and the delivery is sent again under the same id.
 */
export async function deliverEvents(ctx: Ctx, endpointId: string, { sendMail }: Senders): Promise<void> {
  const endpoint = await findEndpoint(ctx, endpointId);
  if (!endpoint || !mayBeSentTo(endpoint)) return;
  const secrets = endpoint.kind === "mail" ? [] : await openSigningSecrets(ctx, endpoint);
  const elapsed = ctx.network.stopwatch();
  const leased = await takeDue(ctx, endpointId);
  if (leased.length === 0) return;
  const events = await findLeasedEvents(ctx, leased);
  const sending = { endpoint, secrets, now: () => later(ctx.realNow, elapsed()) };
  await inParallel(leased, async (delivery) => {
    const event = events.get(delivery.event_id);
    const next =
      endpoint.kind === "mail"
        ? await sendMail(ctx, { endpoint, delivery, event, now: sending.now })
        : await deliver(ctx, sending, delivery, event);
    await wakeSoon(ctx, endpoint, next, sending.now());
  });
  const next = await endpointsToWake(ctx, endpointId, sending.now());
  if (next.length > 0) await ctx.send(next.map((id) => deliverEventJob(ctx.account.id, id)));
}

/** The platform allows an invocation six connections; the sixth is for the database. */
const mostAtOnce = 5;

/** A pause up to this length gets a message of its own; the cron tick ends longer ones. */
const soonMs = minuteMs;

/** A delivery of an account's mail endpoint, and how late it is now. */
export type MailDelivery = {
  endpoint: WebhookEndpoint;
  delivery: EventDelivery;
  event: EventRow | undefined;
  now: () => Instant;
};

/** Senders to endpoints that are no address on the web. Each returns when the next try is due, if there is one. */
type Senders = { sendMail: (ctx: Ctx, mail: MailDelivery) => Promise<Instant | null> };

/** A merchant tests the settings of mails before they are switched on. Nothing else is to be delivered before. */
function mayBeSentTo({ kind, is_enabled }: WebhookEndpoint): boolean {
  return is_enabled === 1 || kind === "mail";
}

type Sending = { endpoint: WebhookEndpoint; secrets: string[]; now: () => string };

async function deliver(
  ctx: Ctx,
  { endpoint, secrets, now }: Sending,
  delivery: EventDelivery,
  event: EventRow | undefined,
): Promise<Instant | null> {
  if (isSpent(delivery)) return giveUpSpent(ctx, delivery, now());
  const prepared = await preparePayload(ctx, { endpoint, delivery, event });
  if (prepared === "gone") return giveUpGone(ctx, delivery);
  return prepared === "failed"
    ? recordUnprepared(ctx, delivery, now())
    : send(ctx, { endpoint, secrets, now }, { delivery, event, body: prepared.body });
}

/** A try that is due soon has a message of its own. */
async function wakeSoon(
  ctx: Ctx,
  endpoint: WebhookEndpoint,
  next: Instant | null,
  now: Instant,
): Promise<void> {
  const pause = next === null ? undefined : Date.parse(next) - Date.parse(now);
  if (pause !== undefined && pause <= soonMs)
    await ctx.send([deliverEventJob(ctx.account.id, endpoint.id)], Math.max(1, Math.ceil(pause / 1000)));
}

type Delivered = { endpoint: WebhookEndpoint; delivery: EventDelivery; event: EventRow | undefined };

/** The body to send; or that its event is gone, or that it cannot be made, which a person has to look at. */
async function preparePayload(
  ctx: Ctx,
  { endpoint, delivery, event }: Delivered,
): Promise<{ body: string } | "gone" | "failed"> {
  try {
    const body = await buildPayload(ctx, endpoint, delivery, event);
    return body === undefined ? "gone" : { body };
  } catch (error) {
    // A database that is away fails the message, which comes again.
    if (classify(error) instanceof DomainError) throw error;
    ctx.log("delivery_not_prepared", {
      alert: true,
      account_id: ctx.account.id,
      endpoint_id: endpoint.id,
      event_id: delivery.event_id,
      cause: String(error),
    });
    return "failed";
  }
}

type Prepared = { delivery: EventDelivery; event: EventRow | undefined; body: string };

/** Sends a delivery once and records the outcome. Returns when the next try is due, if there is one. */
async function send(
  ctx: Ctx,
  { endpoint, secrets, now }: Sending,
  { delivery, event, body }: Prepared,
): Promise<Instant | null> {
  const message = { url: endpoint.url, secrets, id: delivery.event_id, body, at: new Date(now()) };
  const fault = findUrlFault(ctx, endpoint.url);
  const outcome = fault === undefined ? await attempt(ctx.network, message) : notSent(fault);
  return recordOutcome(ctx, { endpoint, delivery, event, outcome, now: now() });
}

/** The URL was set by rules that have changed since, or its row did not come by the API: it counts as an endpoint that fails. */
function notSent(fault: string): TryOutcome {
  return { status: null, error: `was not sent: the URL ${fault}`, retry_after: null, duration_ms: 0 };
}

async function findLeasedEvents(ctx: Ctx, leased: EventDelivery[]): Promise<Map<string, EventRow>> {
  const found = await findEvents(
    ctx,
    leased.flatMap(({ sequence }) => sequence ?? []),
  );
  return new Map(found.map((event) => [event.id, event]));
}

/** A failure does not stop the others; afterwards the first failure is thrown, so that the message is retried. */
async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item).catch((error) => failures.push(error));
  };
  await Promise.all(Array.from({ length: mostAtOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
