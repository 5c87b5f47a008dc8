import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import type { Aside } from "../asides/aside.ts";
import type { ClosedDayHistory } from "../closed-days/history.ts";
import type { Blocks } from "../disputes/blocks.ts";
import type { SimulatedEndpoint } from "../events/endpoints.ts";
import type { StreamReader } from "../events/stream.ts";
import type { Asked } from "../http/asked.ts";
import type { Homes } from "../moves/homes.ts";
import type { SimulatedMailer } from "../notices/mailer.ts";
import type { OpenShopify } from "../stores/shopify/store.ts";
import type { OpenStripe } from "../stores/stripe/store.ts";
import type { Watch } from "../subscriptions/watch.ts";
import type { Alarm } from "./alarm.ts";
import type { Choices } from "./choices.ts";
import type { MessageQueue } from "./queue.ts";
import type { Platform, SimulatedStore } from "./store.ts";
import type { Task } from "./task.ts";

/**
 * A database with the project's migrations. `mark` and `rewind` exist where it can go back to an earlier point, `hasChanged`
 * where it knows whether any row has since it was asked last, `changes` where it knows how many have ever.
 */
export type Database = Db & {
  mark?: () => void;
  rewind?: () => void;
  release?: () => void;
  hasChanged?: () => boolean;
  changes?: () => number;
  /** Called in the turn of a batch that has written, where it is an object's storage. */
  afterWrite?: () => void;
};

export type Violation = { rule: string; detail: string };

/**
 * The circumstances of a schedule: people change their minds often, payments are declined, the store is down most of the time,
 * the merchant's payment provider is off for weeks, or by turns while payments are declined, or customers are challenged and confirm late. Each reaches states that the
 * usual schedule rarely does.
 */
export type Scenario =
  | "usual"
  | "restless"
  | "poor"
  | "outage"
  | "gateway off"
  | "gateway on and off"
  | "challenged";

/** The whole state of a schedule, as one of its accounts sees it. */
export type World = {
  choices: Choices;
  /** Real time in milliseconds, which is the account's time too. */
  clock: number;
  /** Where the account is, if it moves between the engines. */
  database: Database;
  /** Both engines, where the account moves between them. */
  homes: Homes | undefined;
  account: Account;
  /** The account's subscription. */
  subscriptionId: string;
  /** The worlds of all accounts, the first of which this schedule is about. */
  worlds: World[];
  /** Where the accounts have objects: when these look next for what is due. */
  alarm: Alarm | undefined;
  /** Something that goes on beside billing, in some schedules. */
  aside: Aside | undefined;
  tasks: Task[];
  queue: MessageQueue;
  platform: Platform;
  store: SimulatedStore;
  /** The store, where it is Shopify. */
  shopify: OpenShopify | undefined;
  /** The store, where it is Stripe. */
  stripe: OpenStripe | undefined;
  watch: Watch;
  /** The closed days that the account has had, where people close days. */
  closedDays: ClosedDayHistory | undefined;
  /** When disputes kept the account's subscriptions from being billed, where customers dispute payments. */
  blocks: Blocks | undefined;
  /** Where the account's events are sent. */
  endpoints: SimulatedEndpoint[];
  /** Who writes to the account's customers, if anybody does. */
  mailer: SimulatedMailer | undefined;
  /** A line whose price changes with the cycles: its price before the first, the second and so on, the last for good. */
  pricedByCycle: { lineId: string; prices: number[] } | undefined;
  /** Who reads the account's stream of events, if anybody does. */
  streamReader: StreamReader | undefined;
  /** The attempts whose challenges were confirmed late, of which the store's webhooks are under way. */
  confirmations: string[];
  /** The references of charges that people were told to refund, and after how many restores; 0 for one that a reactivation still records. */
  reported: Map<string, number>;
  /** The references of charges whose attempt is still to come, and when a comparison with the store last said so. */
  expected: Map<string, number>;
  /** The attempts of which people were told that the store has charged another amount. */
  otherAmounts: Set<string>;
  /** When ship-now was asked to bill another cycle, however soon after the last. */
  repetitions: Set<string>;
  /** Whether people and programs ask over HTTP, with the account's key; else they call the actions themselves. */
  isOverHttp: boolean;
  apiKey: string;
  /** The requests that were made over HTTP. */
  asked: Asked[];
  /** How often in a thousand a call goes wrong. */
  faultRate: number;
  scenario: Scenario;
  /** Faults have stopped, and every task that ran then has ended. */
  isQuiesced: boolean;
  /** When they had. */
  quiescedAt: number;
  commits: number;
  /** Errors that the simulator injected: code that fails with one is not at fault. */
  injected: WeakSet<object>;
  /** The commit that the last restore went back to. */
  restoredTo: number | undefined;
  restores: number;
  isRestorable: boolean;
  newId: () => string;
  violations: Violation[];
  report: (rule: string, detail: string) => void;
  /** Adds a line to the trace, if there is one. */
  log: (line: () => string) => void;
  trace: string[];
  count: (what: string, by?: number) => void;
  tally: Record<string, number>;
};

export function instantOf({ clock }: Pick<World, "clock">): string {
  if (clock !== last.clock) last = { clock, instant: new Date(clock).toISOString() };
  return last.instant;
}

/** An instant is asked for again and again before time passes. */
let last = { clock: 0, instant: new Date(0).toISOString() };

/** The world of an account. */
export function worldOf({ worlds }: World, accountId: string): World {
  const found = worlds.find(({ account }) => account?.id === accountId);
  if (!found) throw new Error(`No account ${accountId}`);
  return found;
}
