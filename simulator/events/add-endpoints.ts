import { createEndpoint } from "../../src/domain/webhook-endpoints/actions.ts";
import type { NewEndpoint } from "../../src/domain/webhook-endpoints/schemas.ts";
import { runToEnd, spawn } from "../kernel/invocations.ts";
import type { World } from "../kernel/world.ts";
import { readLastSequence } from "./endpoint-rows.ts";
import { type Answers, endpointsOf, type SimulatedEndpoint } from "./endpoints.ts";

/** Gives the account endpoints: in most schedules none, since each takes its time. */
export async function addEndpoints(world: World): Promise<void> {
  const { choices } = world;
  const count = choices.weighted(counts);
  for (let nth = 0; nth < count; nth++) {
    const temper = choices.weighted(tempers);
    const event_types = [...choices.pick(subscribedTypes)];
    const input = { event_types, payload: choices.pick(["thin", "full"] as const) };
    const answers = {
      well: [["accepts", 1]] as Answers,
      fickle: any,
      down: [[choices.weighted(bad), 1]] as Answers,
      lost: [[choices.weighted(bad.filter(([answer]) => answer !== "is gone")), 1]] as Answers,
    }[temper];
    await addEndpoint(world, { name: temper, nth, input, answers, isLost: temper === "lost" });
  }
}

type Made = Pick<SimulatedEndpoint, "answers" | "isLost" | "reads"> & {
  name: string;
  nth: number;
  input: Pick<NewEndpoint, "payload"> & { event_types: string[] };
};

/** Makes an endpoint, as nothing goes wrong yet. */
export async function addEndpoint(
  world: World,
  { name, nth, input, ...made }: Made,
): Promise<SimulatedEndpoint> {
  const url = `https://hooks-${nth}.example.com/${world.account.id}`;
  const endpoint: SimulatedEndpoint = {
    ...{ ...made, id: "", url, types: input.event_types, after: await readLastSequence(world) },
    madeAt: world.clock,
    accepted: new Set(),
    tries: new Map(),
    again: [],
    hasSaidGone: false,
    firstFailureAt: undefined,
    recoveredSince: undefined,
  };
  await spawn(world, `make an endpoint (${name})`, { type: "api", name: "Setup" }, async (ctx) => {
    endpoint.id = (await createEndpoint(ctx, { ...input, url })).endpoint.id;
    endpointsOf(world).push(endpoint);
  });
  await runToEnd(world);
  return endpoint;
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
