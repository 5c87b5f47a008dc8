import { getTableColumns, sql } from "drizzle-orm";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { first } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import type { Ctx } from "../../kit/context.ts";
import { type StaffMember, staff } from "./tables.ts";

export function findMember({ db, account }: Ctx, id: string): Promise<StaffMember | undefined> {
  return first(db, selectMember({ account_seq: account.seq, id }));
}

export async function getMember(ctx: Ctx, id: string): Promise<StaffMember> {
  const member = await findMember(ctx, id);
  if (!member) throw notFound("Member of staff");
  return member;
}

export function findMemberByEmail({ db, account }: Ctx, email: string): Promise<StaffMember | undefined> {
  return first(db, selectByEmail({ account_seq: account.seq, email_folded: emailKey(email) }));
}

export const listStaff = listReader({
  table: staff,
  columns: getTableColumns(staff),
  scope: (p) => sql`${staff.account_seq} = ${p("account_seq")}`,
  tiebreaker: staff.id,
  sorts: { created_at: staff.created_at },
  filters: {},
});

const selectMember = selectBy(staff, "account_seq", "id");
const selectByEmail = selectBy(staff, "account_seq", "email_folded");
