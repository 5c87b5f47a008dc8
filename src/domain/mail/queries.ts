import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import { facetWhere, narrowBy, type Param, rangeOf, rareIn, unindexedFilter } from "../../base/db/filters.ts";
import type { Filters } from "../../base/db/list/list-shape.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { build, columnsEqual, first, inJson, type Params, prepare } from "../../base/db/statement.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { firstIdAt } from "../../base/lib/ids.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { activityLogs } from "../../kit/journal/tables.ts";
import { type WebhookEndpoint, webhookEndpoints } from "../webhook-endpoints/tables.ts";
import type { MailKind } from "./kinds.ts";
import {
  type Mail,
  type MailProvider,
  type MailStatus,
  type MailTemplateRow,
  mailContents,
  mails,
  mailTemplates,
} from "./tables.ts";

/** The endpoint that mails an account's customers; undefined until its settings are first saved. */
export function findMailEndpoint({ db, account }: Ctx): Promise<WebhookEndpoint | undefined> {
  return first(db, selectMailEndpoint({ account_seq: account.seq }));
}

/** The endpoint that mails an account's customers. Throws INVALID_STATE where the settings name no provider. */
export async function requireMailEndpoint(ctx: Ctx): Promise<WebhookEndpoint> {
  const endpoint = await findMailEndpoint(ctx);
  if (endpoint && providerOf(endpoint) !== "none") return endpoint;
  throw new DomainError("INVALID_STATE", "The account has no provider of mails: set one first");
}

/** The provider that the settings name. They are read in full (settings.ts) only where the kinds of mails matter. */
export function providerOf({ mail }: Pick<WebhookEndpoint, "mail">): MailProvider {
  return (JSON.parse(mail ?? "{}") as { provider?: MailProvider }).provider ?? "none";
}

export function findMail({ db, account }: Ctx, id: string): Promise<Mail | undefined> {
  return first(db, selectMail({ account_seq: account.seq, id }));
}

export async function getMail(ctx: Ctx, id: string): Promise<Mail> {
  const mail = await findMail(ctx, id);
  if (!mail) throw notFound("Mail");
  return mail;
}

/** A mail as the provider `log` has rendered it, if it is among the newest. */
export function findContent({ db, account }: Ctx, mailId: string) {
  return first(db, selectContent({ account_seq: account.seq, mail_id: mailId }));
}

/** The merchant's own words for a kind of mail; undefined where there are only ours. */
export function findTemplate(
  { db, account }: Ctx,
  kind: MailKind,
  locale: PortalLocale,
): Promise<MailTemplateRow | undefined> {
  return first(db, selectTemplate({ account_seq: account.seq, kind, locale }));
}

/** The statuses of mails that an index finds. */
const indexedStatuses: readonly MailStatus[] = ["BOUNCED", "COMPLAINED", "SUPPRESSED", "FAILED"];

/** The filters of `listMails` for these statuses: by an index that has few mails where there is one. */
export function filtersByStatus(statuses: MailStatus[] | undefined): Filters {
  const names = statuses && JSON.stringify(statuses);
  if (statuses?.every((status) => indexedStatuses.includes(status))) return { indexed_status: names };
  return { statuses: names, ...(statuses?.every((status) => status === "PENDING") ? { waiting: 1 } : {}) };
}

/** The filters of `listMails` for instants, both included: the ids of mails hold their time. */
export function filtersByTime(from: Instant | undefined, to: Instant | undefined): Filters {
  return { from: from && firstIdAt(from), before: to && firstIdAt(later(to, 1)) };
}

/** A mail's event is in its place of the history, which is what the table is stored by. */
const isOfEvent = sql`${activityLogs.account_seq} = ${mails.account_seq} AND ${activityLogs.sequence} = ${mails.sequence}`;
const ofMail = {
  ...getTableColumns(mails),
  subscription_id: activityLogs.subscription_id,
  order_id: activityLogs.order_id,
};

/** Mails in the order of their ids, which hold their time. */
export const listMails = listReader({
  table: mails,
  columns: ofMail,
  joins: sql`LEFT JOIN ${activityLogs} ON ${isOfEvent}`,
  scope: (p) => sql`${mails.account_seq} = ${p("account_seq")}`,
  key: mails.id,
  tiebreaker: mails.id,
  sorts: { created_at: mails.id },
  filters: {
    statuses: unindexedFilter((p) => inJson(mails.status, p("statuses"))),
    indexed_status: { ...rareIn(mails.status, indexedStatuses, "indexed_status"), index: "mails_by_status" },
    waiting: { ...facetWhere(() => sql`${mails.status} = 'PENDING'`, []), from: fromWaiting, reads: 2 },
    event_types: unindexedFilter((p) => inJson(mails.event_type, p("event_types"))),
    profile_id: { ...narrowBy(mails.profile_id, "profile_id", ["created_at"]), index: "mails_of_profile" },
    from: rangeOf("created_at", "lower", (p) => sql`${mails.id} >= ${p("from")}`),
    before: rangeOf("created_at", "upper", (p) => sql`${mails.id} < ${p("before")}`),
  },
});

/** Mails that wait: each has a delivery that is to be sent. */
function fromWaiting(p: Param): SQL {
  return sql`(SELECT event_id FROM event_deliveries INDEXED BY event_deliveries_due
    WHERE endpoint_id = (SELECT id FROM webhook_endpoints WHERE account_seq = ${p("account_seq")} AND kind = 'mail')
      AND status = 'PENDING') AS its
  CROSS JOIN ${mails} ON ${mails.account_seq} = ${p("account_seq")} AND ${mails.id} = its.event_id AND ${mails.status} = 'PENDING'`;
}

type Own = { account_seq: AccountSeq };

const selectMailEndpoint = prepare((p: Params<Own>) =>
  build
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.account_seq, p("account_seq")), sql`${webhookEndpoints.kind} = 'mail'`)),
);

const selectMail = prepare((p: Params<Own & { id: string }>) =>
  build
    .select(ofMail)
    .from(mails)
    .leftJoin(activityLogs, isOfEvent)
    .where(columnsEqual(mails, p, "account_seq", "id")),
);

const selectContent = prepare((p: Params<Own & { mail_id: string }>) =>
  build
    .select({ html: mailContents.html, text: mailContents.text })
    .from(mailContents)
    .where(columnsEqual(mailContents, p, "account_seq", "mail_id")),
);

const selectTemplate = selectBy(mailTemplates, "account_seq", "kind", "locale");
