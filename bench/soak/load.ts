import { demoId, demoPlanIds, demoShop } from "../../src/base/demo.ts";
import type { Asked, Caller } from "../cases.ts";

/** How often something is asked, of a hundred requests. */
type Kind = { name: string; share: number; request: (state: State) => Asked };
export type State = {
  caller: Caller;
  random: () => number;
  created: string[];
  seeded: number;
  today: string;
  /** Where the server is, which the portal's forms come from. */
  address: string;
  /** The customers who ask for links to sign in with. */
  emails: string[];
  /** How many requests for a link to sign in with were answered. */
  linksAsked: number;
};

type Beginning = Pick<State, "caller" | "address" | "seeded" | "emails"> & { seed: number };

/** The state of a load that begins now. */
export function newState({ seed, ...its }: Beginning): State {
  return { ...its, random: randomFrom(seed), created: [], linksAsked: 0, today: new Date().toISOString() };
}

/** Nobody signs in where no customers are named: the local runtime's portal is at another address than the soak's. */
export function chooseKind({ random, emails }: Pick<State, "random" | "emails">): Kind {
  const these = kinds.filter(({ name }) => name !== "sign-in" || emails.length > 0);
  let left = random() * these.reduce((sum, { share }) => sum + share, 0);
  for (const kind of these) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return kinds[0] as Kind;
}

/** A sequence of numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const subscriptions = "/api/subscriptions";
const json = { "Content-Type": "application/json" };

function get(path: string, headers: Record<string, string>): Asked {
  return { method: "GET", path, headers };
}

function post(path: string, body: object, headers: Record<string, string>): Asked {
  return {
    method: "POST",
    path,
    headers: { ...headers, ...json },
    body: JSON.stringify(body),
  };
}

function below(state: State, count: number): number {
  return Math.floor(state.random() * count);
}

/** Any subscription, one in two of those that the soak has made. */
function anyOf(state: State): string {
  return (
    (state.random() < 0.5 ? state.created[below(state, state.created.length)] : undefined) ??
    demoId("subscription", 1 + below(state, state.seeded))
  );
}

/** A few keys for each subscription, so that many requests are repeated ones. */
function keyed(state: State, headers: Record<string, string>) {
  return {
    ...headers,
    "Idempotency-Key": `soak-${below(state, 3)}`,
  };
}

/** Most cards pay; some are declined, which dunning follows up, and some banks take their time. */
const methods = [
  ...Array.from({ length: 8 }, () => "pm_success"),
  "pm_insufficient_funds",
  "pm_card_declined",
];

function newSubscription(state: State) {
  return {
    profile_id: demoId("profile", 1 + below(state, state.seeded)),
    store_payment_method_id: methods[below(state, methods.length)],
    next_delivery_date: new Date(Date.parse(state.today) + (2 + below(state, 20)) * 86_400_000)
      .toISOString()
      .slice(0, 10),
    lines: [
      {
        store_product_id: "product-1",
        store_variant_id: "variant-1-large",
        product_title: "Beef and carrot, 1.5 kg",
        price: 19.95,
        quantity: 1 + below(state, 3),
        selling_plan_id: demoPlanIds[state.random() < 0.5 ? "weekly" : "monthly"],
      },
    ],
  };
}

export const kinds: Kind[] = [
  { name: "list", share: 15, request: ({ caller }) => get(`${subscriptions}?limit=25`, caller.key) },
  { name: "get", share: 25, request: (state) => get(`${subscriptions}/${anyOf(state)}`, state.caller.key) },
  { name: "orders", share: 8, request: ({ caller }) => get(`${subscriptions}/orders?limit=25`, caller.both) },
  {
    name: "activity",
    share: 7,
    request: ({ caller, today }) =>
      get(`/api/activity-logs?start_date=${today.slice(0, 10)}&end_date=${today.slice(0, 10)}`, caller.both),
  },
  { name: "portal", share: 10, request: () => get(`/api/public/portal/skip-reasons?shop=${demoShop}`, {}) },
  {
    name: "sign-in",
    share: 4,
    request: (state) => ({
      method: "POST",
      path: `/portal/${demoShop}/login`,
      headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: state.address },
      body: new URLSearchParams({ email: state.emails[below(state, state.emails.length)] ?? "" }).toString(),
    }),
  },
  {
    name: "create",
    share: 10,
    request: (state) => post(subscriptions, newSubscription(state), state.caller.key),
  },
  {
    name: "skip",
    share: 10,
    request: (state) =>
      post(
        `${subscriptions}/${anyOf(state)}/skip`,
        { skip_weeks: 1, skip_reason_id: demoId("skip_reason", 1) },
        state.caller.key,
      ),
  },
  {
    name: "ship-now",
    share: 15,
    request: (state) => post(`${subscriptions}/${anyOf(state)}/ship-now`, {}, keyed(state, state.caller.key)),
  },
];
