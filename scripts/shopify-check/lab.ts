import { StoreThrottledError } from "../../src/stores/port.ts";
import { requestShopify, type ShopAccess } from "../../src/stores/shopify/client.ts";
import type { AskShopify } from "../../src/stores/shopify/request.ts";
import { pause } from "../store-check/run.ts";

/** The records of the store that a check may use, by number. */
export type Subjects = {
  customer?: string | undefined;
  variant?: string | undefined;
  paymentMethod?: string | undefined;
  /** A contract that somebody has bought at the checkout. */
  soldContract?: string | undefined;
  /** MailingAddressInput; by default the shop's own address. */
  address?: Record<string, string> | undefined;
};

/** The store as a check reaches it. */
export type Lab = {
  ask: AskShopify;
  subjects: Subjects;
  shop: Shop;
  /** The API versions that have answered, and the cost of each document as its answer says. */
  versions: Set<string>;
  costs: Map<string, number>;
  /** Asks for a token by a refresh token of nobody, and returns the status. Only client credentials can ask. */
  refusedGrantStatus?: (() => Promise<number>) | undefined;
  /** How long a check waits between two looks at what is not done yet. */
  pauseMs: number;
  /** Runs at the end of the section, the last first, whatever came of it. */
  atEnd: (what: string, undo: () => Promise<unknown>) => void;
};

export type Shop = {
  currencyCode: string;
  enabledPresentmentCurrencies: string[];
  plan: { partnerDevelopment: boolean };
  shopAddress: Record<string, string | null>;
};

/** A mutation that was not announced is a fault of the check: it is not sent. */
export class UnannouncedWriteError extends Error {}

/**
 * Asks the store, and sends only those mutations that `mayWrite` names, by their operation. A throttled request was not processed, and is
 * sent again.
 */
export function openLab(connection: ShopAccess, mayWrite: () => readonly string[]) {
  const versions = new Set<string>();
  const costs = new Map<string, number>();
  const watched: ShopAccess = {
    ...connection,
    noteVersion: (version) => void versions.add(version),
    send: async (input, init) => {
      const response = await (connection.send ?? fetch)(input, init);
      const { query } = JSON.parse(String(init?.body)) as { query: string };
      const answer = (await response
        .clone()
        .json()
        .catch(() => ({}))) as Answer;
      const cost = answer.extensions?.cost?.requestedQueryCost;
      if (cost !== undefined) costs.set(query, cost);
      return response;
    },
  };
  const ask: AskShopify = async (query, variables) => {
    const [, kind, name = ""] = /^(\w+) (\w+)/.exec(query) ?? [];
    if (kind !== "query" && !mayWrite().includes(name))
      throw new UnannouncedWriteError(`The check has not announced ${name}`);
    for (let tries = 1; ; tries += 1) {
      try {
        return await requestShopify(watched, query, variables);
      } catch (error) {
        if (!(error instanceof StoreThrottledError) || tries >= mostTries) throw error;
        await pause(error.retryAfter * 1000);
      }
    }
  };
  return { ask, versions, costs };
}

type Answer = { extensions?: { cost?: { requestedQueryCost?: number } } };

const mostTries = 5;
