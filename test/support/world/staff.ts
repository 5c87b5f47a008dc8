import { staff } from "../../../src/domain/staff/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

const path = "/api/staff/{id}";

/** A member who is no OWNER, so that every change of them is possible. */
export const staffPart: MakePart = (of, mark, { member }) => ({
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
  ],
  paths: {
    [path]: { id: member },
    [`${path}/invite`]: { id: member },
  },
});
