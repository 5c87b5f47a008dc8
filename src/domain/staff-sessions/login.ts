import { z } from "zod";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { first } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import type { Job } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { createRecord } from "../../kit/journal/write.ts";
import { RefusedError } from "../mail/port.ts";
import { hasMailProvider, sendToStaff } from "../mail/send-to-staff.ts";
import { guardBelowLimit, isStale, openRequest, sealRequest } from "../sessions/one-time-links.ts";
import { staffEntry } from "../staff/entries.ts";
import { findMember, findMemberByEmail } from "../staff/queries.ts";
import type { StaffMember } from "../staff/tables.ts";
import { createStaffLink } from "./links.ts";

/** Who hands sign-in links to staff: the shop's mail provider, the terminal of a local server, or nobody. */
export type StaffLinkSender = "mailer" | "terminal" | "nobody";

/** It depends on the shop alone, never on whose address was entered. */
export async function findStaffLinkSender(ctx: Ctx, isLocal: boolean): Promise<StaffLinkSender> {
  if (await hasMailProvider(ctx)) return "mailer";
  return isLocal ? "terminal" : "nobody";
}

/**
 * A request for a link. login: by the form, for whoever has the address. invite: by whoever invites them, and noted already. again: by a
 * member who is signed in, for themselves; it is none of the five an hour.
 */
const requestSchema = z.object({
  request_id: z.string(),
  kind: z.enum(["login", "invite", "again"]),
  email: z.string().optional(),
  staff_id: z.string().optional(),
  is_printed: z.boolean(),
  asked_at: z.string(),
});
type StaffLinkRequest = z.output<typeof requestSchema>;

/** The job that makes a link and mails it, once the request is answered. It is sealed: no queue and no log shows who was asked for. */
export async function staffLinkJob(
  { env, account, newId, realNow }: Pick<Ctx, "env" | "account" | "newId" | "realNow">,
  asked: Omit<StaffLinkRequest, "request_id" | "asked_at">,
): Promise<Job> {
  const request: StaffLinkRequest = { request_id: newId(), asked_at: realNow, ...asked };
  const sealed = await sealRequest({ env, account }, "staff", request);
  return { type: "mail_staff_link", account_id: account.id, sealed };
}

/**
 * Makes a link for a member of staff and mails it: five times an hour at most where the form asks for it. A request that is an hour old is dropped, as nobody waits for its link any more.
 */
export async function mailStaffLink(ctx: Ctx, sealed: string): Promise<void> {
  const opened = await openRequest(ctx, "staff", sealed);
  const request = opened === undefined ? undefined : requestSchema.parse(opened);
  if (!request || isStale(request.asked_at, ctx)) return ctx.log("staff_login_not_recorded");
  const member = await findAsked(ctx, request);
  if (!member || member.status === "SUSPENDED") return;
  if (request.kind === "login" && !(await record(ctx, member, request)))
    return ctx.log("staff_login_not_recorded");
  const link = await createStaffLink(ctx, member.id);
  if (request.is_printed) return ctx.log("staff_login_link", link);
  await send(ctx, { member, request, url: link.url }).catch((error) => {
    if (!(error instanceof RefusedError)) throw error;
    ctx.log("staff_link_refused", { account_id: ctx.account.id, cause: error.code });
  });
}

async function findAsked(ctx: Ctx, { email, staff_id }: StaffLinkRequest): Promise<StaffMember | undefined> {
  if (staff_id !== undefined) return findMember(ctx, staff_id);
  return email === undefined ? undefined : findMemberByEmail(ctx, email);
}

/** Notes the request; false where that is beyond the limit. One whose mail is tried once more is noted already. */
async function record(ctx: Ctx, member: StaffMember, { request_id }: StaffLinkRequest): Promise<boolean> {
  const actor = { type: "admin", name: member.name } as const;
  const entry = staffEntry("staff_login_requested", member, { metadata: { request_id } });
  try {
    await retryOnConflict(() =>
      createRecord({ ...ctx, actor }, [entry], [guardBelowLimit(ctx, entry, request_id)]),
    );
    return true;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "VERSION_CONFLICT")) throw error;
    const params = [ctx.account.seq, member.id, request_id];
    return (await first(ctx.db, { sql: selectNoted, params })) !== undefined;
  }
}

const selectNoted = `SELECT 1 FROM activity_logs INDEXED BY activity_logs_by_record WHERE account_seq = ? AND loggable_type = 'staff'
  AND loggable_id = ? AND action = 'staff_login_requested' AND json_extract(metadata, '$.request_id') = ?`;

type Sent = { member: StaffMember; request: StaffLinkRequest; url: string };

function send(
  ctx: Ctx,
  { member: { name, email }, request: { kind, request_id }, url }: Sent,
): Promise<void> {
  const shop = ctx.account.name;
  const isInvited = kind === "invite";
  return sendToStaff(ctx, {
    to: email,
    key: `staff-${request_id}`,
    at: ctx.realNow,
    subject: isInvited ? `You are invited to the console of ${shop}` : `Sign in to the console of ${shop}`,
    intro: [`Hello ${name},`, "this link signs you in once, within the next 15 minutes."],
    button: { text: "Sign in", url },
    closing: ["Whoever has this link can sign in as you: pass it on to nobody."],
    because: isInvited
      ? `You get this mail because ${shop} has invited you to its console.`
      : `You get this mail because somebody asked to sign in to the console of ${shop} with your address. If it was not you, there is nothing to do.`,
  });
}
