import { createEndpoint } from "../src/domain/webhook-endpoints/actions.ts";
import type { NewEndpoint } from "../src/domain/webhook-endpoints/schemas.ts";
import { readLastSequence } from "./endpoint-rows.ts";
import type { Answers } from "./endpoints.ts";
import { runToEnd, spawn } from "./invocations.ts";
import type { World } from "./world.ts";

/** Gives the account endpoints: in most schedules none, since each takes its time. */
export async function addEndpoints(world: World): Promise<void> {
  const { choices } = world;
  const count = choices.weighted(counts);
  for (let nth = 0; nth < count; nth++) {
    const temper = choices.weighted(tempers);
    const event_types = [...choices.pick(subscribedTypes)];
    const url = `https://hooks-${nth}.example.com/${world.account.id}`;
    const input: NewEndpoint = { url, event_types, payload: choices.pick(["thin", "full"]) };
    const answers = {
      well: [["accepts", 1]] as Answers,
      fickle: any,
      down: [[choices.weighted(bad), 1]] as Answers,
      lost: [[choices.weighted(bad.filter(([answer]) => answer !== "is gone")), 1]] as Answers,
    }[temper];
    const after = await readLastSequence(world);
    await spawn(world, `make an endpoint (${temper})`, { type: "api", name: "Setup" }, async (ctx) => {
      const { endpoint } = await createEndpoint(ctx, input);
      world.endpoints.push({
        ...{ id: endpoint.id, url, types: event_types, answers, after, madeAt: world.clock },
        isLost: temper === "lost",
        accepted: new Set(),
        tries: new Map(),
        again: [],
        hasSaidGone: false,
        firstFailureAt: undefined,
        recoveredSince: undefined,
      });
    });
    await runToEnd(world);
  }
}

const bad: Answers = [
  ["fails", 5],
  ["hangs", 5],
  ["is busy", 3],
  ["resets", 3],
  ["redirects", 2],
  ["is gone", 1],
];
const any: Answers = [["accepts", 12], ["floods", 2], ...bad];

/** Endpoints that are well, that answer now so and now so, and that are down: until faults stop, or for ever. */
const tempers = [
  ["well", 3],
  ["fickle", 4],
  ["down", 3],
  ["lost", 2],
] as const;

const subscribedTypes: readonly (readonly string[])[] = [
  ["*"],
  ["*"],
  ["billing.*", "order.placed"],
  ["subscription.paused", "subscription.resumed", "subscription.cancelled", "dunning.*"],
];

const counts = [
  [0, 10],
  [1, 1],
  [2, 3],
] as const;
