import type { Context } from "hono";
import { portalSettingsOf } from "../../../../base/accounts/portal-settings.ts";
import { findAccountByShop, isElsewhere } from "../../../../base/accounts/queries.ts";
import type { Account } from "../../../../base/accounts/tables.ts";
import { demoId, demoShop } from "../../../../base/demo.ts";
import { findProfile } from "../../../../domain/profiles/queries.ts";
import type { Profile } from "../../../../domain/profiles/tables.ts";
import { findMember } from "../../../../domain/staff/queries.ts";
import type { StaffMember } from "../../../../domain/staff/tables.ts";
import { type Ctx, openCtx } from "../../../../kit/context.ts";
import type { PageEnv } from "../page-env.ts";

/** The demo store, and whom one click signs in: its owner, and its customer if its portal lets customers in at this address. */
export type DemoStore = { ctx: Ctx; customer: Profile | undefined; owner: StaffMember | undefined };

/**
 * The demo store of a local server. Elsewhere there is none, whatever is in the database: its customer would be anybody's, and its mails
 * everybody's to read.
 */
export async function findDemoStore(c: Context<PageEnv>): Promise<DemoStore | undefined> {
  const [env, db, log, realNow] = [c.get("env"), c.get("db"), c.get("log"), c.get("now")];
  if (env.ENVIRONMENT !== "local") return undefined;
  const account = await findAccountByShop(db, demoShop, realNow.getTime());
  if (!account || account.id !== demoId("account", 1) || isElsewhere(db, account)) return undefined;
  const actor = { type: "system", name: null } as const;
  const ctx = await openCtx({ env, db, account, actor, log, realNow });
  return {
    ctx,
    owner: await findMember(ctx, demoId("staff", 1)),
    customer: hasPortalHere(account) ? await findProfile(ctx, demoId("profile", 1)) : undefined,
  };
}

/** A session's cookie belongs to one host: a portal at another cannot be signed in to from here. */
function hasPortalHere(account: Account): boolean {
  const { is_enabled, base_url } = portalSettingsOf(account);
  return is_enabled && base_url === null;
}
