import { DomainError } from "../../base/errors.ts";
import { eventTypes } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import type { SubjectType } from "../../kit/journal/tables.ts";
import { presentDeclaration } from "../declarations/present.ts";
import { getDeclaration } from "../declarations/queries.ts";
import { presentJob } from "../merchant-jobs/present.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { presentOrder } from "../orders/present.ts";
import { getOrder } from "../orders/queries.ts";
import { presentProfile } from "../profiles/present.ts";
import { getProfile } from "../profiles/queries.ts";
import { createLinkForLogin } from "../sessions/login.ts";
import { presentMember } from "../staff/present.ts";
import { getMember } from "../staff/queries.ts";
import { presentSubscription } from "../subscriptions/present.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import type { EventRow } from "./queries.ts";

/** Whether an event is of no use without its object, which thin deliveries then have too. */
export function needsObject({ type }: EventRow): boolean {
  return type === eventTypes.portal_login_requested;
}

/**
 * The record that an event is about, as it is now: null if it no longer exists, absent if events of this kind have none. Of a
 * login request it is a link, made anew each time.
 */
export async function prepareEventObject(ctx: Ctx, event: EventRow): Promise<{ object?: object | null }> {
  if (needsObject(event)) return { object: await createLinkForLogin(ctx, event) };
  const read = readers[event.loggable_type];
  if (!read) return {};
  try {
    return { object: await read(ctx, event.loggable_id) };
  } catch (error) {
    if (error instanceof DomainError && error.code === "NOT_FOUND") return { object: null };
    throw error;
  }
}

/** Each record as its GET returns it now. Events about the account and its keys have no record. */
const readers: { [T in SubjectType]?: (ctx: Ctx, id: string) => Promise<object> } = {
  subscription: async (ctx, id) => presentSubscription(await getSubscription(ctx, id)),
  order: async (ctx, id) => presentOrder(await getOrder(ctx, id), ctx.account),
  profile: async (ctx, id) => presentProfile(await getProfile(ctx, id)),
  declaration: async (ctx, id) => presentDeclaration(await getDeclaration(ctx, id)),
  job: async (ctx, id) => presentJob(await getJob(ctx, id)),
  staff: async (ctx, id) => presentMember(await getMember(ctx, id)),
};
