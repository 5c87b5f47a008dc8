import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import { type EventType, eventTypes } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import { webhookEndpoints } from "../webhook-endpoints/tables.ts";

/**
 * Who hands sign-in links to customers: the shop's mailer, a local server's log of mails, its terminal where there is not even that, or
 * nobody.
 */
export type LinkSender = "mailer" | "log" | "terminal" | "nobody";

/** It depends on the shop alone, never on whose address was entered. */
export async function findLinkSender(
  { db, account }: Pick<Ctx, "db" | "account">,
  isLocal: boolean,
): Promise<LinkSender> {
  const types = filtersOf(eventTypes.portal_login_requested);
  const mailer = await first(db, selectEndpoint({ account_seq: account.seq, types: JSON.stringify(types) }));
  if (mailer) return isLocal && mailer.provider === "log" ? "log" : "mailer";
  return isLocal ? "terminal" : "nobody";
}

/** The filters of an endpoint that let events of a type through, as the trigger that makes deliveries reads them. */
function filtersOf(type: EventType): string[] {
  return ["*", `${type.slice(0, type.indexOf("."))}.*`, type];
}

/** The provider of the account's mails; null for an endpoint on the web, which comes before a log. */
const provider = sql<string | null>`(${webhookEndpoints.mail} ->> '$.provider')`;

const selectEndpoint = prepare((p: Params<{ account_seq: AccountSeq; types: string }>) =>
  build
    .select({ provider: provider.as("provider") })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.account_seq, p("account_seq")),
        sql`${webhookEndpoints.is_enabled} = 1`,
        sql`EXISTS (SELECT 1 FROM json_each(${webhookEndpoints.event_types}) AS wanted
          WHERE wanted.value IN (SELECT value FROM json_each(${p("types")})))`,
      ),
    )
    .orderBy(sql`${provider} = 'log'`)
    .limit(1),
);
