import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { build, statement } from "../../db/statement.ts";
import { type ContractWish, StoreBusyError, StoreRefusalError } from "../port.ts";
import { askShopify, type Connection } from "./client.ts";
import { contractInput, contractMark } from "./contract-input.ts";
import { createContract, findContract } from "./documents.ts";
import { gidOf, numberIn } from "./ids.ts";
import { shopifyContracts as leases } from "./tables.ts";

/** Longer than a look and a creation can take together. */
const leaseMs = 120_000;
const pageSize = 50;

const userErrors = z.array(z.object({ code: z.string().nullish(), message: z.string() }));

const madeSchema = z.object({
  subscriptionContractAtomicCreate: z.object({
    contract: z.object({ id: z.string() }).nullable(),
    userErrors,
  }),
});

const foundSchema = z.object({
  customer: z
    .object({
      subscriptionContracts: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            customAttributes: z.array(z.object({ key: z.string(), value: z.string().nullable() })),
          }),
        ),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    })
    .nullable(),
});

type Found = NonNullable<z.output<typeof foundSchema>["customer"]>["subscriptionContracts"];

/** One at a time makes the contract of a subscription. Throws StoreBusyError where somebody else is at it. */
const lease = async (db: Db, accountId: string, subscriptionId: string, realNow: string): Promise<void> => {
  const lease_until = new Date(Date.parse(realNow) + leaseMs).toISOString();
  const [taken] = await commit({ db }, [
    statement(
      build
        .insert(leases)
        .values({ account_id: accountId, subscription_id: subscriptionId, lease_until })
        .onConflictDoUpdate({
          target: [leases.account_id, leases.subscription_id],
          set: { lease_until },
          setWhere: sql`${leases.lease_until} <= ${realNow}`,
        })
        .returning({ subscription_id: leases.subscription_id }),
    ),
  ]);
  if (taken?.rows.length !== 1)
    throw new StoreBusyError("The contract is being made already", leaseMs / 1000);
};

const findMarked = async (connection: Connection, wish: ContractWish): Promise<number | undefined> => {
  const customer = gidOf("Customer", wish.store_customer_id ?? "");
  for (let after: string | null = null; ; ) {
    const answer: unknown = await askShopify(connection, findContract, { customer, first: pageSize, after });
    const contracts: Found | undefined = foundSchema.parse(answer).customer?.subscriptionContracts;
    const ours = contracts?.nodes.find(({ customAttributes }) =>
      customAttributes.some(({ key, value }) => key === contractMark && value === wish.subscription_id),
    );
    if (ours) return numberIn(ours.id);
    if (!contracts?.pageInfo.hasNextPage) return undefined;
    after = contracts.pageInfo.endCursor;
  }
};

/**
 * The contract of a subscription: the one that carries its mark, else a new one. Throws StoreRefusalError with
 * Shopify's reasons.
 */
export const contractFor = async (
  db: Db,
  connection: Connection,
  accountId: string,
  wish: ContractWish,
  realNow: string,
): Promise<number> => {
  if (wish.store_customer_id === null)
    throw new StoreRefusalError("The profile has no store_customer_id", ["CUSTOMER_MISSING"]);
  await lease(db, accountId, wish.subscription_id, realNow);
  const known = await findMarked(connection, wish);
  if (known !== undefined) return known;
  const answer = madeSchema.parse(
    await askShopify(connection, createContract, { input: contractInput(wish) }),
  );
  const { contract, userErrors: refusals } = answer.subscriptionContractAtomicCreate;
  if (contract) return numberIn(contract.id);
  throw new StoreRefusalError(
    refusals.map(({ message }) => message).join("; "),
    refusals.map(({ code }) => code ?? "UNKNOWN"),
  );
};
