import { z } from "zod";
import { raw, rows } from "../../base/db/statement.ts";
import { refreshContractJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ListedContract } from "../../stores/port/contracts.ts";

/**
 * A pass over the store's contracts, page by page: when it began, where its next page begins, and how many contracts it has found that
 * nobody here knew.
 */
const contractPassSchema = z.object({
  begun_at: z.string(),
  after: z.string().nullable(),
  found: z.number(),
  /** Whether the last page was looked at; what is left are the contracts that could not be taken over. */
  is_listed: z.boolean(),
  /** Whether the store has refused a webhook as the pass began. */
  is_refused: z.boolean(),
});
export type ContractPass = z.output<typeof contractPassSchema>;

/** A pass that has not ended. */
export function readPass(stored: string): ContractPass {
  return contractPassSchema.parse(JSON.parse(stored));
}

/**
 * Looks at the pass's next page: each contract that is unknown here is taken in by a job of its own, as its webhook would have done. Returns
 * the pass as it then is.
 */
export async function lookAtPage(ctx: Ctx, since: Instant | null, pass: ContractPass): Promise<ContractPass> {
  const page = await ctx.store.contracts?.listPage({ since, after: pass.after });
  if (!page) return { ...pass, is_listed: true };
  const unknown = await findUnknown(ctx, page.contracts);
  const account_id = ctx.account.id;
  if (unknown.length > 0) {
    ctx.log("contracts_found", { account_id, contracts: unknown.length });
    await ctx.send(unknown.map((id) => refreshContractJob(account_id, id)));
  }
  const found = pass.found + unknown.length;
  return { ...pass, found, after: page.next, is_listed: page.next === null };
}

/**
 * From when on the next pass looks at contracts. Where this one has found any, they are only on their way, so the next one looks at the
 * same again. Contracts may be seen late, so passes overlap.
 */
export function nextFrom(from: Instant | null, { begun_at, found }: ContractPass): Instant | null {
  return found === 0 ? later(begun_at, -overlapMs) : from;
}

const overlapMs = 7 * dayMs;

/**
 * The contracts of a page that belong to no subscription, in this life or the one before, and are not listed as ones that cannot. One that was made for a subscription is the
 * matter of that subscription's sync. Raw, because the builder has no json_each.
 */
async function findUnknown(ctx: Ctx, contracts: ListedContract[]): Promise<number[]> {
  const found = await rows(
    ctx.db,
    raw<{ id: number }>(
      `SELECT listed.value ->> 'store_contract_id' AS id FROM json_each(?2) AS listed
      WHERE NOT EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?1
          AND store_contract_id = listed.value ->> 'store_contract_id')
        AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?1
          AND former_contract_id = listed.value ->> 'store_contract_id')
        AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?1
          AND id = listed.value ->> 'subscription_id')
        AND NOT EXISTS (SELECT 1 FROM unsupported_contracts WHERE account_seq = ?1
          AND store_contract_id = listed.value ->> 'store_contract_id')`,
      ctx.account.seq,
      JSON.stringify(contracts),
    ),
  );
  return found.map(({ id }) => id);
}
