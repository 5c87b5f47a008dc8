import { eq } from "drizzle-orm";
import { accounts } from "../../../src/base/accounts/tables.ts";
import { build, statement } from "../../../src/base/db/statement.ts";
import type { MakePart } from "./part.ts";

export const portalPart: MakePart = ({ account }, _mark, { address, order, profile }) => ({
  writes: [
    statement(
      build
        .update(accounts)
        .set({ portal: JSON.stringify({ is_enabled: true }) })
        .where(eq(accounts.id, account.id)),
    ),
  ],
  paths: {
    "/api/portal/me/addresses/{id}": { id: address },
    "/api/portal/me/orders/{id}": { id: order },
  },
  bodies: { createPortalSession: { profile_id: profile } },
  queries: { listPublicSkipReasons: { shop: account.shop }, endPortalSessions: { profile_id: profile } },
});
