import type { Account } from "../src/accounts/tables.ts";
import type { Db } from "../src/db/client.ts";
import type { Choices } from "./choices.ts";
import { openLedger } from "./ledger-store.ts";
import type { Outside, Platform } from "./outside.ts";
import { type MessageQueue, newQueue } from "./queue.ts";
import { type OpenShopify, openShopify } from "./shopify/store.ts";
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

const firstDay = Date.UTC(2026, 2, 2, 8);

const hex = (number: number, length: number): string => number.toString(16).padStart(length, "0");

type Options = {
  seed: number;
  platform: Platform;
  choices: Choices;
  database: Database;
  isTold: boolean;
  /** Only this rule is held. */
  rule?: string | undefined;
};

/** A world before its first day; its account and its watch are put in when the shop is opened. */
export const newWorld = ({ seed, platform, choices, database, isTold, rule: only }: Options): World => {
  let ids = 0;
  const started = firstDay + choices.below(24) * 3_600_000;
  const world: World = {
    choices,
    database,
    clock: started,
    account: undefined as unknown as Account,
    watch: undefined as unknown as Watch,
    platform,
    store: undefined as unknown as Outside,
    shopify: undefined,
    tasks: [],
    queue: newQueue(),
    faultRate: 0,
    scenario: "usual",
    isQuiesced: true,
    commits: 0,
    injected: new WeakSet(),
    restoredTo: undefined,
    restores: 0,
    isRestorable: false,
    newId: () => `${hex(seed >>> 0, 8)}-0000-7000-8000-${hex(++ids, 12)}`,
    violations: [],
    report: (rule, detail) => {
      if (only !== undefined && rule !== only) return;
      world.tell(() => `VIOLATED ${rule}: ${detail}`);
      world.violations.push({ rule, detail });
    },
    tell: (line) => {
      if (!isTold || world.violations.length > 0) return;
      const minutes = Math.floor((world.clock - started) / 60_000);
      const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes / 60) % 24)];
      const time = `${days}d ${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
      world.trace.push(`${time}  ${line()}`);
    },
    trace: [],
    tally: {},
    count: (what, by = 1) => {
      world.tally[what] = (world.tally[what] ?? 0) + by;
    },
  };
  if (platform === "shopify") world.shopify = openShopify(world);
  world.store = world.shopify ?? openLedger(world);
  return world;
};
