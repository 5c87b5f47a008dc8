import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { demoId } from "../../base/demo.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import {
  type AnyOperation,
  type HonoEnv,
  operation,
  type Parsed,
} from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";
import { presentSubscription } from "./present.ts";
import { getSubscription, type SubscriptionView } from "./queries.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { SubscriptionData } = deferred(() => import("./schemas.ts"));

/** The parts of every operation that changes a subscription. */
export const path = "/api/subscriptions";
export const common = {
  tag: "Subscriptions",
  credentials: "either",
  resource: "subscriptions",
  ...previewed,
} as const;
export const one = { ...common, params: pathId("subscription", demoId("subscription", 1)) };
export const entryHeader = {
  "Entry-Id": {
    optional:
      "The id of the change's entry in the history, by which it can be undone; absent where nothing has changed.",
  },
} as const;
export const changed = {
  status: 200,
  description: "The changed subscription.",
  schema: SubscriptionData,
  headers: entryHeader,
} as const;
export const conflictErrors = ["INVALID_STATE", "VERSION_CONFLICT"] as const satisfies ErrorCode[];

type ById = z.ZodObject<{ id: z.ZodType<string> }>;

type OperationOf<P extends ById, B extends z.ZodType | undefined> = Parameters<
  typeof operation<"either" | "customer", typeof changed, P, Loaded<typeof DryRunQuery>, B>
>[0];

/** An operation for one action on one subscription. */
type ChangeOperation<P extends ById, B extends z.ZodType | undefined> = Omit<
  OperationOf<P, B>,
  "query" | "success" | "handler" | "answerAgain"
> & {
  /** The action; it gets the parameters of the path, and the body where there is one. */
  act: (ctx: Ctx, command: Parsed<P> & { request: Parsed<B> }) => Promise<SubscriptionView>;
};

/** Declares an operation that is answered with the subscription as its action leaves it, or for a dry run would leave it. */
export function changeOperation<P extends ById, B extends z.ZodType | undefined = undefined>({
  act,
  errors = [],
  ...declared
}: ChangeOperation<P, B>): AnyOperation {
  return operation({
    ...declared,
    ...previewed,
    errors: [...conflictErrors, ...errors],
    success: changed,
    handler: ({ c, ctx, params, body }) => answer(c, act(ctx, { ...params, request: body })),
    answerAgain,
  });
}

/** A repeated request is answered with the subscription as it is now. */
export function answerAgain({ c, ctx, params }: { c: Context<HonoEnv>; ctx: Ctx; params: { id: string } }) {
  return answer(c, getSubscription(ctx, params.id));
}

/** The subscription as a change has left it, and the entry of the change. */
export async function answer(c: Context<HonoEnv>, changing: Promise<SubscriptionView>) {
  const view = await changing;
  nameEntry(c, view);
  return { data: presentSubscription(view) };
}

/** Names the entry of a change in the response. */
export function nameEntry(c: Context<HonoEnv>, { entryId }: Pick<SubscriptionView, "entryId">): void {
  if (entryId !== undefined) c.header("Entry-Id", entryId);
}
