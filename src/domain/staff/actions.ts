import { and, eq } from "drizzle-orm";
import { isDemotion } from "../../base/accounts/roles.ts";
import { ConstraintError } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, first, statement } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { diff } from "../../base/lib/diff.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { change, commitStatements, createRecord, entryStatement } from "../../kit/journal/write.ts";
import { staffLinks, staffSessions } from "../staff-sessions/tables.ts";
import { staffEntry } from "./entries.ts";
import { getMember } from "./queries.ts";
import type { MemberChanges, NewMember } from "./schemas.ts";
import { type StaffMember, staff } from "./tables.ts";

/** Adds a member of staff, who is INVITED until they first sign in. Throws EMAIL_TAKEN. */
export async function addMember(ctx: Ctx, { email, name, role }: NewMember): Promise<StaffMember> {
  const member: StaffMember = {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    email,
    email_folded: emailKey(email),
    name: name ?? email.slice(0, email.lastIndexOf("@")),
    role,
    status: "INVITED",
    last_seen_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    revision: 1,
  };
  keepCreated(ctx, { member: member.id });
  await refusingTaken(createRecord(ctx, [staffEntry("staff_invited", member)], [insertRow(staff, member)]));
  return member;
}

/** Notes that a member is invited once more, with the writes that invite them. Throws INVALID_STATE for one who is suspended. */
export function inviteAgain(ctx: Ctx, id: string, writes: Statement[]): Promise<StaffMember> {
  return retryOnConflict(async () => {
    const member = await getMember(ctx, id);
    if (member.status === "SUSPENDED")
      throw new DomainError("INVALID_STATE", "Cannot invite a member of staff who is SUSPENDED");
    await createRecord(ctx, [staffEntry("staff_invited", member)], writes);
    return member;
  });
}

/**
 * Changes the fields that are named. Suspending or demoting somebody, and giving them another address, ends their sessions and links. Throws
 * INVALID_STATE where no OWNER would be left, EMAIL_TAKEN.
 */
export function changeMember(ctx: Ctx, id: string, changes: MemberChanges): Promise<StaffMember> {
  return retryOnConflict(async () => {
    const member = await getMember(ctx, id);
    const after: StaffMember = { ...member, ...(definedFields(changes) as Partial<StaffMember>) };
    after.email_folded = emailKey(after.email);
    const { email_folded: _, ...changed } = diff(member, after);
    const fields = Object.keys(changed).sort();
    if (fields.length === 0) return member;
    const { role, status } = changed;
    const entry = staffEntry("staff_updated", member, {
      changes: { ...(role && { role }), ...(status && { status }) },
      metadata: { fields },
    });
    const isLess = isDemotion(member.role, after.role) || after.status === "SUSPENDED";
    const staysOwner = after.role === "OWNER" && after.status !== "SUSPENDED";
    const writes = [
      ...(staysOwner ? [] : await requireOtherOwner(ctx, member)),
      ...(isLess || after.email !== member.email ? deleteSignIns(ctx, id) : []),
    ];
    await refusingTaken(change(ctx, { ...entry, after }, { writes }));
    return after;
  });
}

/** Removes a member of staff with everything by which they were signed in. Throws INVALID_STATE for the last OWNER. */
export function removeMember(ctx: Ctx, id: string): Promise<StaffMember> {
  return retryOnConflict(async () => {
    const member = await getMember(ctx, id);
    const isIt = and(eq(staff.account_seq, member.account_seq), eq(staff.id, id));
    await commitStatements(ctx, [
      entryStatement(ctx, staffEntry("staff_removed", member)),
      ...(await requireOtherOwner(ctx, member)),
      ...deleteSignIns(ctx, id),
      statement(build.delete(staff).where(isIt)),
    ]);
    return member;
  });
}

/** Deletes the links and sessions of a member. */
function deleteSignIns({ account }: Ctx, staff_id: string): Statement[] {
  return [staffLinks, staffSessions].map((table) =>
    statement(
      build.delete(table).where(and(eq(table.account_seq, account.seq), eq(table.staff_id, staff_id))),
    ),
  );
}

/** The guard that another OWNER stays who can sign in; none for a member who is no such OWNER. Throws INVALID_STATE. */
async function requireOtherOwner({ db, account }: Ctx, member: StaffMember): Promise<Statement[]> {
  if (member.role !== "OWNER" || member.status === "SUSPENDED") return [];
  const params = [account.seq, member.id];
  if (await first(db, { sql: `SELECT 1 WHERE ${isLastOwner}`, params }))
    throw new DomainError(
      "INVALID_STATE",
      "The last OWNER cannot be removed, suspended or given another role",
    );
  return [guard(isLastOwner, params)];
}

/** A guard is text. */
const isLastOwner = `NOT EXISTS (SELECT 1 FROM staff WHERE account_seq = ? AND id <> ? AND role = 'OWNER' AND status <> 'SUSPENDED')`;

async function refusingTaken(writing: Promise<unknown>): Promise<void> {
  await writing.catch((error) => {
    const isTaken =
      error instanceof ConstraintError && error.kind === "unique" && /staff\.email/.test(error.on);
    throw isTaken ? new DomainError("EMAIL_TAKEN", "Another member of staff has this e-mail address") : error;
  });
}
