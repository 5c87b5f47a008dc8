import type { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { pathId } from "../../kit/http/params.ts";
import { presentSubscription } from "./present.ts";
import { getSubscription, type SubscriptionView } from "./queries.ts";

const { DryRunQuery } = deferred(() => import("./requests.ts"));
const { SubscriptionData } = deferred(() => import("./schemas.ts"));

/** The parts of every operation that changes a subscription. */
export const path = "/api/subscriptions";
export const common = {
  tag: "Subscriptions",
  credentials: "either",
  resource: "subscriptions",
  query: DryRunQuery,
} as const;
export const one = { ...common, params: pathId("subscription", demoId("subscription", 1)) };
export const changed = {
  status: 200,
  description: "The changed subscription.",
  schema: SubscriptionData,
} as const;
export const conflictErrors = ["INVALID_STATE", "VERSION_CONFLICT"] as const satisfies ErrorCode[];

/** A repeated request is answered with the subscription as it is now. */
export function answerAgain({ ctx, params }: { ctx: Ctx; params: { id: string } }) {
  return answer(getSubscription(ctx, params.id));
}

/** The subscription as a change has left it. */
export async function answer(view: Promise<SubscriptionView>) {
  return { data: presentSubscription(await view) };
}

export function isDry({ dry_run }: z.output<Loaded<typeof DryRunQuery>>): boolean {
  return dry_run ?? false;
}
