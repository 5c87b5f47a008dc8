import { besideOf } from "../../simulator/beside/names.ts";
import type { Platform } from "../../simulator/kernel/store.ts";
import type { Beside } from "../../simulator/seeded-bug.ts";
import type { Engine } from "../../src/base/env.ts";

/** The part of a schedule that its seed alone decides, so that no choice of another schedule is another one for it. */
export type Shape = {
  platform: Platform;
  engine: Engine;
  /** People and programs ask over HTTP. */
  isOverHttp: boolean;
  /** Stripe's webhooks come to the Worker's own route. */
  sendsWebhooks: boolean;
  /** The account moves between the engines. */
  isMoving: boolean;
};

/** The shape of a seed's schedule, on this platform instead of its own if one is given. */
export function shapeOf(seed: number, given?: Platform): Shape {
  const own = ownPlatform(seed);
  const platform = given ?? own;
  const engine = Math.floor(seed / shopifyEvery) % objectEvery === 0 ? "object" : "d1";
  const isOverHttp = seed % overHttpEvery === 0;
  const mayMove = seed % movingEvery === 4 && !isOverHttp && own !== "shopify" && engine === "d1";
  const isHooked = seed % hookedOf < hookedBelow || seed % hookedOf >= hookedFrom;
  return {
    platform,
    engine,
    isOverHttp,
    sendsWebhooks: platform === "stripe" && isHooked,
    isMoving: mayMove && platform !== "shopify",
  };
}

/** Whether something goes on beside the billing of a seed's schedule, as far as its seed says. */
export function hasBeside(seed: number, platform: Platform, beside: Beside): boolean {
  const { isMoving } = shapeOf(seed, platform);
  return beside === "moves" ? isMoving : !isMoving && besideOf(seed, platform) === beside;
}

function ownPlatform(seed: number): Platform {
  if (seed % shopifyEvery === 0) return "shopify";
  return Math.floor(seed / shopifyEvery) % stripeOf < stripeRows ? "stripe" : "ledger";
}

/** Of so many rows of seeds, these run with Stripe, but for the schedule at Shopify: a third of all schedules. */
const stripeOf = 12;
const stripeRows = 5;

/** Of so many seeds these have Stripe's webhooks: half of those that run with Stripe. */
const hookedOf = 60;
const hookedBelow = 12;
const hookedFrom = 25;

/** One schedule in so many runs with Shopify, where it takes longer. */
const shopifyEvery = 5;

/** Of so many rows of seeds, each with one schedule at Shopify, one runs on the storage of an object. */
const objectEvery = 5;

/** In one schedule of so many people and programs ask over HTTP. */
const overHttpEvery = 3;

/** In one schedule of so many the account moves between the engines; none of those over HTTP or at Shopify is among them. */
const movingEvery = 70;
