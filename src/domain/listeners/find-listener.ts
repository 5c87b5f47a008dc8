import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import type { EventType } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import { type WebhookEndpoint, webhookEndpoints } from "../webhook-endpoints/tables.ts";

type Listener = { provider: string | null };
type Kind = WebhookEndpoint["kind"];

/** An enabled endpoint of these kinds to which events of a type are sent; undefined where there is none. One on the web comes before a log of mails. */
export function findListener(
  { db, account }: Pick<Ctx, "db" | "account">,
  type: EventType,
  kinds: readonly Kind[],
): Promise<Listener | undefined> {
  const names = { types: JSON.stringify(filtersOf(type)), kinds: JSON.stringify(kinds) };
  return first(db, selectListener({ account_seq: account.seq, ...names }));
}

/** The filters of an endpoint that let events of a type through, as the trigger that makes deliveries reads them. */
function filtersOf(type: EventType): string[] {
  return ["*", `${type.slice(0, type.indexOf("."))}.*`, type];
}

/** The provider of the account's mails; null for an endpoint on the web. */
const provider = sql<string | null>`(${webhookEndpoints.mail} ->> '$.provider')`;

const selectListener = prepare((p: Params<{ account_seq: AccountSeq; types: string; kinds: string }>) =>
  build
    .select({ provider: provider.as("provider") })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.account_seq, p("account_seq")),
        sql`${webhookEndpoints.is_enabled} = 1`,
        sql`${webhookEndpoints.kind} IN (SELECT value FROM json_each(${p("kinds")}))`,
        sql`EXISTS (SELECT 1 FROM json_each(${webhookEndpoints.event_types}) AS wanted
          WHERE wanted.value IN (SELECT value FROM json_each(${p("types")})))`,
      ),
    )
    .orderBy(sql`${provider} = 'log'`)
    .limit(1),
);
