import type { Context } from "hono";
import { type Actor, type Ctx, openCtx } from "../../../kit/context.ts";
import { type PageEnv, visitOf } from "./page-env.ts";
import type { SignedIn } from "./visit.ts";

/** The context of what a page has the service do by itself. */
export function openSystemCtx(c: Context<PageEnv>): Promise<Ctx> {
  return openPageCtx(c, { type: "system", name: null });
}

/** The context of what the customer does, where no operation of the API does it. */
export function openCustomerCtx({ c, session }: SignedIn): Promise<Ctx> {
  return openPageCtx(c, { type: "customer", name: session.name, profile_id: session.profile_id });
}

/** The context of what somebody does who has not signed in, and may be anybody. */
export function openAnybodyCtx(c: Context<PageEnv>): Promise<Ctx> {
  return openPageCtx(c, { type: "customer", name: null });
}

function openPageCtx(c: Context<PageEnv>, actor: Actor): Promise<Ctx> {
  const [env, db, log, realNow] = [c.get("env"), c.get("db"), c.get("log"), c.get("now")];
  return openCtx({ env, db, account: visitOf(c).account, actor, log, realNow });
}
