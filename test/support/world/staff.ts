import { apiKeys } from "../../../src/base/accounts/tables.ts";
import { staff } from "../../../src/domain/staff/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

const path = "/api/staff/{id}";

/** A member who is no OWNER, and a key that nobody uses, so that every change of them is possible. */
export const staffPart: MakePart = (of, mark, { member, spareKey }) => ({
  writes: [
    insertOf(staff, {
      id: member,
      account_id: of.account.id,
      email: `${mark}@shop.example`,
      email_folded: `${mark}@shop.example`,
      name: mark,
      role: "SUPPORT",
      status: "INVITED",
      last_seen_at: null,
      ...stamps,
      revision: 1,
    }),
    insertOf(apiKeys, {
      id: spareKey,
      account_id: of.account.id,
      name: mark,
      key_hash: mark,
      created_at: now,
      last_used_at: null,
      revoked_at: null,
    }),
  ],
  // The document's example names scopes, which the key that makes it has to have.
  bodies: { createApiKey: { name: "Warehouse" } },
  paths: {
    "/api/account/keys/{id}": { id: spareKey },
    [path]: { id: member },
    [`${path}/invite`]: { id: member },
  },
});
