import { dayMs } from "../src/base/lib/durations.ts";
import { updateEndpoint } from "../src/domain/webhook-endpoints/actions.ts";
import { startRecovery } from "../src/domain/webhook-endpoints/recover.ts";
import { checkDisabled } from "./check-deliveries.ts";
import { readEndpoint } from "./endpoint-rows.ts";
import { spawn } from "./invocations.ts";
import type { World } from "./world.ts";

/** Somebody enables the endpoints again that were disabled, and has the events recovered that they missed. */
export async function tendEndpoints(world: World): Promise<void> {
  for (const endpoint of world.endpoints) {
    const row = await readEndpoint(world, endpoint.id);
    checkDisabled(world, endpoint, row);
    if (endpoint.isLost || (row?.is_enabled === 1 && endpoint.recoveredSince === undefined)) continue;
    const since = Math.max(endpoint.madeAt, world.clock - reachMs);
    endpoint.recoveredSince = since;
    world.count("endpoints enabled again");
    await spawn(world, "a person enables an endpoint", { type: "admin", name: "Ada" }, async (ctx) => {
      await updateEndpoint(ctx, endpoint.id, { is_enabled: true });
      await startRecovery(ctx, endpoint.id, new Date(since).toISOString());
    });
  }
}

/** A recovery reaches back 30 days. */
const reachMs = 29 * dayMs;
