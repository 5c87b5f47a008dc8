import { adminUrl } from "../../../src/stores/shopify/app/domain.ts";
import { confirmedIf, type Outcome, untestable } from "../../store-check/outcome.ts";
import type { Lab } from "../lab.ts";

/** How the store refuses a refresh token that nobody has. Only an app with client credentials can ask. */
export async function checkRefusedGrant({ refusedGrantStatus }: Lab): Promise<Outcome> {
  if (!refusedGrantStatus) return untestable("needs client credentials, which a token has not");
  const status = await refusedGrantStatus();
  return confirmedIf(status === 400, `the store answered ${status}`);
}

/** The status with which a shop refuses a refresh token that it never issued. */
export async function askForRefusedGrant(
  shop: string,
  app: { client_id: string; secret: string },
  send: typeof fetch = fetch,
): Promise<number> {
  const body = new URLSearchParams({
    client_id: app.client_id,
    client_secret: app.secret,
    grant_type: "refresh_token",
    refresh_token: "shprt_issued_by_nobody",
  });
  const response = await send(adminUrl(shop, "oauth/access_token"), { method: "POST", body });
  return response.status;
}
