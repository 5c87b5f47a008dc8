import type { Context, MiddlewareHandler } from "hono";
import { portalOriginOf } from "../../../../base/accounts/portal-address.ts";
import { readOwnForm } from "../../../pages/own-form.ts";
import { type PageEnv, plain } from "../page-env.ts";

/** Takes a POST from the portal's own pages alone, and reads its form. */
export const ownForm: MiddlewareHandler<PageEnv> = async (c, next) => {
  c.set("sent", await readOwnForm(plain(c), ownOrigin(c)));
  return next();
};

/** The origin of the page: of the shop's portal, else of the deployment. A request under another host was led there before its form is read. */
function ownOrigin(c: Context<PageEnv>): string {
  const [env, visit] = [c.get("env"), c.get("visit")];
  return visit ? portalOriginOf({ env, account: visit.account }) : env.PUBLIC_URL;
}
