import { dayMs } from "../../src/base/lib/time/durations.ts";
import { editEndpoint } from "../../src/domain/webhook-endpoints/actions.ts";
import { resend } from "../../src/domain/webhook-endpoints/outbox.ts";
import { startRecovery } from "../../src/domain/webhook-endpoints/recover.ts";
import { spawn } from "../kernel/invocations.ts";
import type { World } from "../kernel/world.ts";
import { checkDisabled } from "./check-deliveries.ts";
import { readDeliveries, readEndpoint } from "./endpoint-rows.ts";
import { type Again, endpointsOf, type SimulatedEndpoint } from "./endpoints.ts";

/** Somebody enables the endpoints again that were disabled, and has the events recovered that they missed. */
export async function tendEndpoints(world: World): Promise<void> {
  for (const endpoint of endpointsOf(world)) {
    const row = await readEndpoint(world, endpoint.id);
    checkDisabled(world, endpoint, row);
    if (endpoint.isLost || (row?.is_enabled === 1 && endpoint.recoveredSince === undefined)) continue;
    const since = Math.max(endpoint.madeAt, world.clock - reachMs);
    endpoint.recoveredSince = since;
    world.count("endpoints enabled again");
    noteAgain(world, endpoint, undefined);
    const isRepeated = world.choices.chance(500);
    await spawn(world, "a person enables an endpoint", ada, async (ctx) => {
      await editEndpoint(ctx, endpoint.id, { is_enabled: true });
      await startRecovery(ctx, endpoint.id, new Date(since).toISOString());
      if (isRepeated) await startRecovery(ctx, endpoint.id, ctx.now);
    });
  }
}

/** Somebody has an event sent again, whatever became of it. */
export async function resendSomething(world: World): Promise<void> {
  const { choices } = world;
  const endpoints = endpointsOf(world);
  if (endpoints.length === 0) return;
  const endpoint = choices.pick(endpoints);
  const deliveries = await readDeliveries(world, endpoint.id);
  if (deliveries.length === 0) return;
  const { event_id } = choices.pick(deliveries);
  const again = noteAgain(world, endpoint, event_id);
  world.count("deliveries sent again by people");
  await spawn(world, "a person resends a delivery", ada, async (ctx) => {
    await resend(ctx, endpoint.id, event_id);
    again.isDone = true;
  });
}

const ada = { type: "admin", name: "Ada" } as const;

function noteAgain(
  { clock: at, restores, isQuiesced }: World,
  endpoint: SimulatedEndpoint,
  eventId: string | undefined,
): Again {
  const triesBefore = endpoint.tries.get(eventId ?? "")?.length ?? 0;
  const again = { at, triesBefore, eventId, isDone: false, isUndisturbed: isQuiesced, restores };
  endpoint.again.push(again);
  return again;
}

/** A recovery reaches back 30 days. */
const reachMs = 29 * dayMs;
