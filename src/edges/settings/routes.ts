import type { MiddlewareHandler } from "hono";
import { changeAccount } from "../../base/accounts/actions.ts";
import { requireTestClock, startAdvance } from "../../base/accounts/clock.ts";
import { readAccount } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { minorOf } from "../../base/amounts.ts";
import { notFound } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { presentAccount } from "./present.ts";

const { AccountData, AccountUpdate, TestClockData, TestClockRequest } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/account";
const common = { tag: "Account", credentials: "either", resource: "account" } as const;

/** The account as it is now: the account that a credential proves may come from a cache. */
async function readCurrentAccount({ db, account }: Ctx): Promise<Account> {
  const found = await readAccount(db, account.id);
  if (!found) throw notFound("Account");
  return found;
}

/** A deployment without test clocks does not have these paths. */
const requireTestClocks: MiddlewareHandler<HonoEnv> = async (c, next) => {
  if (c.get("env").TEST_CLOCKS === "off") throw notFound("Path");
  return next();
};

async function presentOwnClock(ctx: Ctx) {
  const account = await readCurrentAccount(ctx);
  requireTestClock(account);
  return { data: { now: account.clock_at ?? ctx.realNow, advancing: account.clock_target !== null } };
}

function flagOf(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

export const settingsOperations = [
  operation({
    ...common,
    id: "getAccount",
    method: "get",
    path,
    summary: "Get the account's settings",
    description:
      "The account that the credentials prove, with its time zone, its currency and its billing rules.",
    success: { status: 200, description: "The account.", schema: AccountData },
    handler: async ({ ctx }) => ({ data: presentAccount(await readCurrentAccount(ctx)) }),
  }),
  operation({
    ...common,
    id: "updateAccount",
    method: "put",
    path,
    summary: "Change the account's settings",
    description:
      "Changes the settings that are named. The currency cannot change once a plan, subscription or order is priced in it.",
    body: AccountUpdate,
    errors: ["INVALID_STATE"],
    success: { status: 200, description: "The account as it now is.", schema: AccountData },
    handler: async ({ ctx, body }) => {
      const {
        dunning_retry_days: days,
        notify_payment_update,
        notify_every_retry,
        require_address,
        support_max_refund: refund,
        ...rest
      } = body;
      const values = definedFields({
        ...rest,
        dunning_retry_days: days && JSON.stringify(days),
        notify_payment_update: flagOf(notify_payment_update),
        notify_every_retry: flagOf(notify_every_retry),
        require_address: flagOf(require_address),
        support_max_refund:
          refund && minorOf(refund, body.currency_code ?? ctx.account.currency_code, "support_max_refund"),
      }) as Partial<Account>;
      const changed =
        Object.keys(values).length === 0
          ? await readCurrentAccount(ctx)
          : await changeAccount(ctx, { id: ctx.account.id, values, author: ctx.actor, now: ctx.now });
      return { data: presentAccount(changed) };
    },
  }),
  operation({
    ...common,
    id: "getTestClock",
    method: "get",
    path: `${path}/test-clock`,
    middleware: [requireTestClocks],
    summary: "Get the account's own time",
    description:
      "Only accounts on the sandbox store, or in the test mode of Stripe, have a test clock, in deployments that have test clocks. At Stripe the dates go by it, and charges are made at once.",
    errors: ["INVALID_STATE", "NOT_FOUND"],
    success: { status: 200, description: "The time, and whether it is moving.", schema: TestClockData },
    handler: ({ ctx }) => presentOwnClock(ctx),
  }),
  operation({
    ...common,
    id: "advanceTestClock",
    method: "post",
    path: `${path}/test-clock`,
    middleware: [requireTestClocks],
    summary: "Move the account's own time forward",
    destructive: true,
    description:
      "Moves it a day at a time, at most 400 days a call, and does what falls due on the way in order. Then the account's time stands still until it is moved again. Read it until `advancing` is false.",
    body: TestClockRequest,
    bodyExample: (now) => ({ advance_to: new Date(now.getTime() + 30 * dayMs).toISOString() }),
    errors: ["INVALID_STATE", "NOT_FOUND"],
    success: { status: 200, description: "The time, and whether it is moving.", schema: TestClockData },
    handler: async ({ ctx, body }) => {
      const account = await readCurrentAccount(ctx);
      const now = account.clock_at ?? ctx.realNow;
      const advancing = await startAdvance(ctx, account, now, body.advance_to);
      if (advancing) await ctx.send([{ type: "advance_clock", account_id: account.id }]);
      return { data: { now, advancing } };
    },
    answerAgain: ({ ctx }) => presentOwnClock(ctx),
  }),
];
