import { seeing } from "./accounts/seen.ts";
import { billing } from "./billing/part.ts";
import { dates } from "./dates/part.ts";
import { events } from "./events/part.ts";
import { stream } from "./events/stream.ts";
import { http } from "./http/part.ts";
import { passing, running } from "./kernel/steps.ts";
import type { Part } from "./kernel/world.ts";
import { moved, moving } from "./moves/part.ts";
import { notices } from "./notices/part.ts";
import { orders } from "./orders/part.ts";
import { shopify } from "./shopify/part.ts";
import { stripe } from "./stripe/part.ts";
import { impatience, subscriptions } from "./subscriptions/part.ts";

/**
 * All that takes part in every schedule. The order counts: it is that of the acts among which a schedule chooses, so that another one makes every
 * seed another schedule; and whoever looks at what a commit has changed comes after what has read it.
 */
export const parts: readonly Part[] = [
  ...[running, seeing, subscriptions, passing, dates, orders, moved, shopify, stripe],
  ...billing,
  ...[http, events, notices, impatience, moving, stream],
];
