import { insertRow } from "../../src/base/db/row-writes.ts";
import { demoId } from "../../src/base/demo.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { staff } from "../../src/domain/staff/tables.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

/** The demo store's owner, whom the first page of a local server signs in, after its history. */
export const staffPart: Part = (now) => {
  const at = later(now.toISOString(), 1);
  return [
    insertRow(staff, {
      id: demoId("staff", 1),
      account_seq: demoAccountSeq,
      email: "olga@shop.example",
      email_folded: "olga@shop.example",
      name: "Olga Owner",
      role: "OWNER",
      status: "INVITED",
      last_seen_at: null,
      created_at: at,
      updated_at: at,
      revision: 1,
    }),
  ];
};
