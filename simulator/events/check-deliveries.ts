import { dayMs } from "../../src/base/lib/time/durations.ts";
import type { WebhookEndpoint } from "../../src/domain/webhook-endpoints/tables.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import { instantOf, type World } from "../kernel/world.ts";
import { checkTries } from "./check-tries.ts";
import { readDeliveries, readEndpoint, readEvents, readWaitingEndpoints } from "./endpoint-rows.ts";
import { asksFor, endpointsOf, type SimulatedEndpoint } from "./endpoints.ts";

/** Each endpoint has accepted every event that it asks for, unless it refused it ten times or never recovered. */
export async function checkDeliveries(world: World): Promise<void> {
  if (endpointsOf(world).length === 0) return;
  const events = await readEvents(world);
  for (const endpoint of endpointsOf(world)) {
    const row = await readEndpoint(world, endpoint.id);
    const deliveries = await readDeliveries(world, endpoint.id);
    checkDisabled(world, endpoint, row);
    if (row && row.recovering !== null) world.report("every event is delivered", "a recovery does not end");
    checkOutcomes(world, endpoint, deliveries);
    checkTries(world, endpoint, { deliveries, isEnabled: row?.is_enabled === 1 });
    const byEvent = new Map(deliveries.map((delivery) => [delivery.event_id, delivery]));
    for (const event of events)
      if (
        (event.sequence ?? 0) > endpoint.after &&
        asksFor(endpoint, event.type) &&
        !isSettled(endpoint, row, event, byEvent.get(event.id))
      )
        world.report(
          "every event is delivered",
          `${event.type} is ${byEvent.get(event.id)?.status ?? "nowhere"}`,
        );
  }
}

/** An endpoint is disabled only where it said that it is gone, or has failed for five days. */
export function checkDisabled(
  { report }: World,
  { hasSaidGone, firstFailureAt = Number.POSITIVE_INFINITY }: SimulatedEndpoint,
  row: WebhookEndpoint | undefined,
): void {
  if (row?.is_enabled !== 0) return;
  const failedMs = Date.parse(row.updated_at) - firstFailureAt;
  const isJust = row.disabled_reason === "gone" ? hasSaidGone : failedMs >= failingMs - invocationMsMax;
  if (!isJust)
    report("no endpoint is disabled too soon", `${row.disabled_reason}, after ${failedMs / 1000} s`);
}

/** When everything due was done, nothing is due to an endpoint of which nothing is under way, however others hang. */
export async function checkNoneWaits(world: World): Promise<void> {
  for (const id of await readWaitingEndpoints(world))
    world.report("no endpoint waits for another", `something is due to ${id}`);
}

/** As docs/build/webhooks.md has it: an endpoint is disabled that has failed for so long, a delivery ends after so many tries. */
const failingMs = 5 * dayMs;
const triesMax = 10;

type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];
type Event = Awaited<ReturnType<typeof readEvents>>[number];

function checkOutcomes(world: World, { accepted }: SimulatedEndpoint, deliveries: Delivery[]): void {
  for (const { status, event_id, event_type, next_attempt_at } of deliveries) {
    if (status === "DELIVERED" && !accepted.has(event_id))
      world.report("what is delivered was accepted", event_type);
    if (next_attempt_at !== null && next_attempt_at <= instantOf(world))
      world.report("every event is delivered", `${event_type} is due`);
  }
}

function isSettled(
  { accepted, isLost, recoveredSince }: SimulatedEndpoint,
  row: WebhookEndpoint | undefined,
  { id, created_at }: Event,
  delivery: Delivery | undefined,
): boolean {
  if (accepted.has(id)) return true;
  if (delivery?.status === "FAILED" && delivery.attempt_count >= triesMax) return true;
  if (isLost) return delivery !== undefined || row?.is_enabled === 0;
  return recoveredSince !== undefined && Date.parse(created_at) < recoveredSince;
}
