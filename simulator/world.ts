import type { Account } from "../src/accounts/tables.ts";
import type { Db } from "../src/db/client.ts";
import type { Choices } from "./choices.ts";
import type { Outside, Platform } from "./outside.ts";
import type { MessageQueue } from "./queue.ts";
import type { OpenShopify } from "./shopify/store.ts";
import type { Task } from "./task.ts";
import type { Watch } from "./watch.ts";

/** A database with the project's migrations; one that can go back to an earlier point says how. */
export type Database = Db & { mark?: () => void; rewind?: () => void; release?: () => void };

export type Violation = { rule: string; detail: string };

/**
 * What a schedule is like: people go back and forth and the store is at its worst, payments are refused, the store is
 * hardly to be reached, or the merchant's payment provider is off for weeks. Each leads to where the usual one hardly ever comes.
 */
export type Scenario = "usual" | "restless" | "poor" | "outage" | "gateway off";

/** Everything a schedule is made of. */
export type World = {
  choices: Choices;
  /** Real time, which is the account's too; milliseconds. */
  clock: number;
  database: Database;
  account: Account;
  tasks: Task[];
  queue: MessageQueue;
  platform: Platform;
  store: Outside;
  /** The same store, where it is Shopify. */
  shopify: OpenShopify | undefined;
  watch: Watch;
  /** How often in a thousand a call goes wrong. */
  faultRate: number;
  scenario: Scenario;
  /** Faults have stopped, and whatever was under way then has come to its end. */
  isQuiesced: boolean;
  commits: number;
  /** Errors made up by the simulator: whoever fails with one is not at fault. */
  injected: WeakSet<object>;
  /** The commit up to which the database was rewound, and how many restores there have been. */
  restoredTo: number | undefined;
  restores: number;
  isRestorable: boolean;
  newId: () => string;
  violations: Violation[];
  report: (rule: string, detail: string) => void;
  tell: (line: () => string) => void;
  trace: string[];
  count: (what: string, by?: number) => void;
  tally: Record<string, number>;
};

export const instantOf = ({ clock }: Pick<World, "clock">): string => new Date(clock).toISOString();
