import type { Value } from "../../base/db/port.ts";
import { type Reads, type RowsBy, raw, readNamed } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { attemptColumnNames } from "../billing/charge-content.ts";
import type { BillingAttempt } from "../billing/tables.ts";
import { type SlotWithDay, selectAllSlots, slotsById } from "../delivery/queries.ts";
import type { DunningEpisode } from "../dunning/tables.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { ForecastProspect } from "./delivered-goods.ts";

/** A select of whole subscriptions, with the account as its first parameter. */
export type SubscriptionSelect = { sql: string; params: Value[] };

/** Subscriptions with what their deliveries depend on, and the types of the entities that their lines are for. */
export type Prospects = { found: ForecastProspect[]; entityTypes: Map<string, string> };

type Row = Subscription & { method_status: string | null; expires_on: string | null };

/** Reads a page of subscriptions as they are at one moment, in one trip, with what further statements find. */
export async function readProspects<Also extends Reads>(
  ctx: Ctx,
  page: SubscriptionSelect,
  also: Also,
): Promise<Prospects & { slots: Map<string, SlotWithDay>; others: RowsBy<Also> }> {
  const { account, now } = ctx;
  const slotsToo = { ...statementsOf(page), slots: selectAllSlots({ account_seq: account.seq }) };
  const read = await readNamed(ctx.db, { ...slotsToo, ...also });
  const { rows, attempts, episodes, entities, slots } = read as RowsBy<typeof slotsToo>;
  const slotOf = slotsById(slots);
  const episodeOf = new Map(episodes.map((episode) => [episode.id, episode]));
  const attemptsOf = Map.groupBy(attempts, ({ subscription_id }) => subscription_id);
  const found = rows.map(({ method_status, expires_on, ...row }): ForecastProspect => {
    const its = attemptsOf.get(row.id) ?? [];
    const { activation, current_billing_cycle } = row;
    return {
      view: { row, slot: slotOf.get(row.delivery_slot_id ?? "") },
      open: its.find(({ id }) => id === row.open_attempt_id),
      latest: its.find(
        (attempt) => attempt.activation === activation && attempt.cycle === current_billing_cycle,
      ),
      episode: episodeOf.get(row.dunning_episode_id ?? ""),
      method: method_status === null ? undefined : { status: method_status, expires_on },
      account,
      now,
    };
  });
  const entityTypes = new Map(entities.map(({ id, entity_type }) => [id, entity_type]));
  return { found, entityTypes, slots: slotOf, others: read as RowsBy<Also> };
}

/** The builder has no table-valued functions, and the page is one select in several statements, so these are SQL. */
function statementsOf({ sql, params }: SubscriptionSelect) {
  const page = `WITH page AS MATERIALIZED (${sql})`;
  return {
    rows: raw<Row>(
      `${page} SELECT page.*, method.status AS method_status, method.expires_on FROM page
        LEFT JOIN payment_methods AS method
          ON method.account_seq = page.account_seq AND method.id = page.payment_method_id
        ORDER BY page.number`,
      ...params,
    ),
    attempts: raw<BillingAttempt>(
      `${page} SELECT DISTINCT ${attemptColumnNames("attempt")} FROM page
        CROSS JOIN json_each(json_array(page.open_attempt_id, (SELECT latest.id FROM billing_attempts AS latest
          WHERE latest.account_seq = page.account_seq AND latest.subscription_id = page.id
            AND latest.activation = page.activation AND latest.cycle = page.current_billing_cycle
            AND latest.status <> 'CANCELLED'
          ORDER BY latest.attempt_number DESC, latest.created_at DESC, latest.seq DESC LIMIT 1))) AS wanted
        CROSS JOIN billing_attempts AS attempt ON attempt.account_seq = page.account_seq AND attempt.id = wanted.value
        WHERE page.open_attempt_id IS NOT NULL OR page.dunning_episode_id IS NOT NULL
          OR page.billing_retry_at IS NOT NULL`,
      ...params,
    ),
    episodes: raw<DunningEpisode>(
      `${page} SELECT episode.* FROM page CROSS JOIN dunning_episodes AS episode
        ON episode.account_seq = page.account_seq AND episode.id = page.dunning_episode_id`,
      ...params,
    ),
    entities: raw<{ id: string; entity_type: string }>(
      `${page} SELECT DISTINCT entity.id, entity.entity_type FROM page CROSS JOIN json_each(page.lines) AS line
        CROSS JOIN entities AS entity
          ON entity.account_seq = page.account_seq AND entity.id = line.value ->> '$.entity_id'`,
      ...params,
    ),
  };
}
