import { addMember, changeMember, inviteAgain, removeMember } from "../../domain/staff/actions.ts";
import { presentMember } from "../../domain/staff/present.ts";
import { getMember, listStaff } from "../../domain/staff/queries.ts";
import type { StaffMember } from "../../domain/staff/tables.ts";
import { newStaffLink } from "../../domain/staff-sessions/links.ts";
import { findStaffLinkSender, staffLinkJob } from "../../domain/staff-sessions/login.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerRecord } from "../../kit/http/answer-record.ts";
import { requireOwner } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { keepSecret, openKeptSecret } from "../../kit/kept-secret.ts";

const { StaffCreate, StaffData, StaffInvitation, StaffList, StaffQuery, StaffUpdate, staffParams } = deferred(
  () => import("../../domain/staff/schemas.ts"),
);

const path = "/api/staff";
const common = { tag: "Staff", credentials: "either", resource: "staff" } as const;
const one = { ...common, path: `${path}/{id}`, params: staffParams } as const;

export const staffOperations = [
  operation({
    ...common,
    id: "listStaff",
    method: "get",
    path,
    summary: "List the staff",
    description:
      "Everybody who may sign in to the console, newest first, with their role. In the console itself for an OWNER alone.",
    query: StaffQuery,
    success: pageAnswer("A page of members of staff.", StaffList),
    handler: ({ c, ctx, query }) => {
      requireOwner(c);
      return answerList({ c, query }, (page) => listStaff(ctx, page), presentMember);
    },
  }),
  operation({
    ...common,
    id: "createStaffMember",
    method: "post",
    path,
    summary: "Add a member of staff",
    description:
      "They are INVITED until they first sign in to the console, by a link that inviting them makes, or by the console's form. Refused with EMAIL_TAKEN if another member has the e-mail address.",
    body: StaffCreate,
    errors: ["EMAIL_TAKEN"],
    success: { status: 201, description: "The new member of staff.", schema: StaffData },
    handler: ({ c, ctx, body }) => {
      requireOwner(c);
      return answerRecord(addMember(ctx, body), presentMember);
    },
    answerAgain: ({ ctx, created }) => answerRecord(getMember(ctx, created.member), presentMember),
  }),
  operation({
    ...one,
    id: "updateStaffMember",
    method: "put",
    summary: "Change a member of staff",
    description:
      "Changes the fields that the body names. Suspending somebody, a role that may do less, and another e-mail address end their sessions at once. Refused with INVALID_STATE where no OWNER would be left who can sign in.",
    body: StaffUpdate,
    errors: ["EMAIL_TAKEN", "INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The changed member of staff.", schema: StaffData },
    handler: ({ c, ctx, params, body }) => {
      requireOwner(c);
      return answerRecord(changeMember(ctx, params.id, body), presentMember);
    },
  }),
  operation({
    ...one,
    id: "deleteStaffMember",
    method: "delete",
    summary: "Remove a member of staff",
    description:
      "Ends their sessions at once, and frees the e-mail address. The history keeps what they did, under their name. Refused with INVALID_STATE for the last OWNER who can sign in.",
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 204, description: "Removed." },
    handler: async ({ c, ctx, params }) => {
      requireOwner(c);
      await removeMember(ctx, params.id);
    },
  }),
  operation({
    ...one,
    id: "inviteStaffMember",
    method: "post",
    path: `${path}/{id}/invite`,
    summary: "Invite a member of staff",
    description:
      "Makes a link that signs them in to the console once, within 15 minutes. Where a mail provider is enabled it is mailed to them; else the answer holds it, to be handed to them alone. Refused with INVALID_STATE for somebody who is SUSPENDED.",
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: {
      status: 200,
      description: "The member, and the link if it was not mailed.",
      schema: StaffInvitation,
    },
    secretAnswer: true,
    handler: async ({ c, ctx, params }) => {
      requireOwner(c);
      return invite(ctx, params.id);
    },
    answerAgain: async ({ ctx, params, created }) => {
      const member = await getMember(ctx, params.id);
      const url = await openKeptSecret(ctx, created);
      if (url === undefined) await mailLink(ctx, member);
      return { data: { member: presentMember(member), url: url ?? null } };
    },
  }),
];

/** Mails the link where somebody sends mails, else shows it. */
async function invite(ctx: Ctx, id: string) {
  if ((await findStaffLinkSender(ctx, false)) === "mailer") {
    const member = await inviteAgain(ctx, id, []);
    await mailLink(ctx, member);
    return { data: { member: presentMember(member), url: null } };
  }
  const { url, insert } = await newStaffLink(ctx, id);
  await keepSecret(ctx, url);
  return { data: { member: presentMember(await inviteAgain(ctx, id, [insert])), url } };
}

async function mailLink(ctx: Ctx, { id }: StaffMember): Promise<void> {
  await ctx.send([await staffLinkJob(ctx, { kind: "invite", staff_id: id, is_printed: false })]);
}
