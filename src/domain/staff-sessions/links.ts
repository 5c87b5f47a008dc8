import { sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow, updateRow } from "../../base/db/row-writes.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { linkMs, newSecret, sessionMs, spendStatements } from "../sessions/one-time-links.ts";
import { staffEntry } from "../staff/entries.ts";
import { getMember } from "../staff/queries.ts";
import { type StaffMember, staff } from "../staff/tables.ts";
import { type StaffSession, staffLinks, staffSessions } from "./tables.ts";

/** The address of a shop's console. It is never made of the Host that a request names. */
function consoleUrlOf({ env, account }: Pick<Ctx, "env" | "account">): string {
  return `${env.PUBLIC_URL}/console/${account.shop}`;
}

type StaffLink = { url: string; expires_at: Instant };

/** Makes a link that signs a member of staff in. */
export async function createStaffLink(ctx: Ctx, staffId: string): Promise<StaffLink> {
  const { insert, ...link } = await newStaffLink(ctx, staffId);
  await commit({ db: ctx.db }, [insert]);
  return link;
}

/** A link and the statement that stores it. Only its hash is kept, so nobody can read it later. */
export async function newStaffLink(ctx: Ctx, staff_id: string): Promise<StaffLink & { insert: Statement }> {
  const token = newSecret();
  const expires_at = later(ctx.realNow, linkMs);
  const link = {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    staff_id,
    token_hash: await sha256Hex(token),
    created_at: ctx.realNow,
    expires_at,
    session_id: null,
  };
  return {
    url: `${consoleUrlOf(ctx)}/enter?token=${token}`,
    expires_at,
    insert: insertRow(staffLinks, link),
  };
}

/**
 * Turns a link into a session: returns the secret for the session's cookie, or undefined where the link is unknown, used or expired, or
 * where its member was suspended. Somebody who was INVITED is ACTIVE from then on.
 */
export async function spendStaffLink(ctx: Ctx, token: string): Promise<string | undefined> {
  const { db, account, realNow, newId } = ctx;
  const [secret, session_id] = [newSecret(), newId()];
  const session: Record<keyof StaffSession, unknown> = {
    id: sql`${session_id}`.as("id"),
    account_seq: staffLinks.account_seq,
    staff_id: staffLinks.staff_id,
    token_hash: sql`${await sha256Hex(secret)}`.as("token_hash"),
    created_at: sql`${realNow}`.as("created_at"),
    expires_at: sql`${later(realNow, sessionMs)}`.as("expires_at"),
    seen_at: sql`${realNow}`.as("seen_at"),
  };
  const [spent] = await commit(
    { db },
    spendStatements<{ staff_id: string }>({
      links: staffLinks,
      sessions: staffSessions,
      link: { account_seq: account.seq, token_hash: await sha256Hex(token) },
      session_id,
      now: realNow,
      isOpen: isNotSuspended,
      session,
      returned: { staff_id: staffLinks.staff_id },
    }),
  );
  const [link] = spent.rows;
  if (!link) return undefined;
  await noteSignIn(ctx, link.staff_id);
  return secret;
}

const isNotSuspended = sql`EXISTS (SELECT 1 FROM staff WHERE staff.account_seq = ${staffLinks.account_seq}
  AND staff.id = ${staffLinks.staff_id} AND staff.status <> 'SUSPENDED')`;

async function noteSignIn(ctx: Ctx, id: string): Promise<void> {
  const { db, account, realNow } = ctx;
  await retryOnConflict(async () => {
    const member: StaffMember = await getMember(ctx, id);
    const seen = { last_seen_at: realNow };
    if (member.status !== "INVITED")
      return commit({ db }, [updateRow(staff, { account_seq: account.seq, id }, seen)]);
    const entry = staffEntry("staff_updated", member, {
      changes: { status: { from: "INVITED", to: "ACTIVE" } },
      metadata: { fields: ["status"] },
    });
    const actor = { type: "admin", name: member.name } as const;
    return change({ ...ctx, actor }, { ...entry, after: { status: "ACTIVE", ...seen } });
  });
}
