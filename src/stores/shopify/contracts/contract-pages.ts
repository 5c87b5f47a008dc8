import { z } from "zod";
import { numberIn } from "../../global-ids.ts";
import { type ContractPage, contractStatuses, isEnded, type ListedContract } from "../../port/contracts.ts";
import { listContracts } from "../documents.ts";
import type { AskShopify } from "../request.ts";
import { parseResponse } from "../responses.ts";
import { readMark } from "./contract-input.ts";

/** A page of the app's contracts that have not ended, oldest first, and where the next one begins; null after the last. */
export async function findContractPage(
  ask: AskShopify,
  { since, after }: ContractPage,
): Promise<{ contracts: ListedContract[]; next: string | null }> {
  const query = since === null ? null : `created_at:>='${since}'`;
  const variables = { query, first: pageSize, after };
  const { nodes, pageInfo } = parseResponse(
    listedSchema,
    await ask(listContracts, variables),
  ).subscriptionContracts;
  return {
    contracts: nodes.flatMap(({ id, status, customAttributes }) => {
      if (isEnded(status)) return [];
      const { subscription_id } = readMark(customAttributes);
      return [{ store_contract_id: numberIn(id), subscription_id }];
    }),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

/** All contracts of a page may have to be taken in, each with some requests: a store's bucket holds the points for these in a minute. */
const pageSize = 25;

/** A page of contracts, each with the mark by which ours are found. */
export const contractsSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      status: z.enum(contractStatuses),
      customAttributes: z.array(z.object({ key: z.string(), value: z.string().nullable() })),
    }),
  ),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

const listedSchema = z.object({ subscriptionContracts: contractsSchema });
