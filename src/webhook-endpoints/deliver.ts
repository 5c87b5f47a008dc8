import type { Ctx } from "../context.ts";
import { type EventRow, findEvents } from "../events/queries.ts";
import { deliverEventJob } from "../job.ts";
import { later } from "../lib/dates.ts";
import { attempt } from "./attempt.ts";
import { hasDue, leaseDue } from "./outbox.ts";
import { isSpent } from "./outcome.ts";
import { payloadOf } from "./payload.ts";
import { findEndpoint } from "./queries.ts";
import { recordCancelled, recordOutcome, recordSpent } from "./record.ts";
import { signingSecrets } from "./secrets.ts";
import type { EventDelivery, WebhookEndpoint } from "./tables.ts";

/** The platform allows an invocation six connections; the sixth is for the database. */
const mostAtOnce = 5;

/** A pause up to this length gets a message of its own; the cron tick ends longer ones. */
const soonMs = 60_000;

/**
 * Sends the due deliveries of an endpoint, a few at a time. A delivery is sent only after its lease is committed, and each
 * outcome is committed on its own. If this dies at any point, the lease ends and the delivery is sent again under the same id.
 */
export const deliverEvents = async (ctx: Ctx, endpointId: string): Promise<void> => {
  const endpoint = await findEndpoint(ctx, endpointId);
  if (endpoint?.is_enabled !== 1) return;
  const secrets = await signingSecrets(ctx, endpoint);
  const elapsed = ctx.network.stopwatch();
  const leased = await leaseDue(ctx, endpointId);
  if (leased.length === 0) return;
  const events = await eventsOf(ctx, leased);
  const sending = { endpoint, secrets, now: () => later(ctx.realNow, elapsed()) };
  await inParallel(leased, (delivery) => deliver(ctx, sending, delivery, events.get(delivery.event_id)));
  if (await hasDue(ctx, endpointId, sending.now()))
    await ctx.send([deliverEventJob(ctx.account.id, endpointId)]);
};

type Sending = { endpoint: WebhookEndpoint; secrets: string[]; now: () => string };

async function deliver(
  ctx: Ctx,
  { endpoint, secrets, now }: Sending,
  delivery: EventDelivery,
  event: EventRow | undefined,
): Promise<void> {
  if (isSpent(delivery)) return recordSpent(ctx, delivery, now());
  const body = await payloadOf(ctx, endpoint, delivery, event);
  if (body === undefined) return recordCancelled(ctx, delivery);
  const message = { url: endpoint.url, secrets, id: delivery.event_id, body, at: new Date(now()) };
  const outcome = await attempt(ctx.network, message);
  const next = await recordOutcome(ctx, { endpoint, delivery, event, outcome, now: now() });
  const pause = next === null ? undefined : Date.parse(next) - Date.parse(now());
  if (pause !== undefined && pause <= soonMs)
    await ctx.send([deliverEventJob(ctx.account.id, endpoint.id)], Math.max(1, Math.ceil(pause / 1000)));
}

async function eventsOf(ctx: Ctx, leased: EventDelivery[]): Promise<Map<string, EventRow>> {
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
