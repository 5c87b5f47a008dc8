import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { StoreInstalls } from "../installs.ts";
import type { KeyedStore } from "../keyed.ts";
import type { OpenStoreInput, Store } from "../port.ts";
import type { SessionTokens } from "../session-tokens.ts";
import type { AddressedWebhooks, StoreWebhooks, WebhookOperation } from "../webhooks.ts";

/** A store platform: all that is known of it before its store is opened. Each function loads a part of its adapter when that is first needed. */
export type Platform = {
  traits: PlatformTraits;
  open: () => Promise<(input: OpenStoreInput) => Store>;
  /** Its own tables, by the names under which the code declares them. */
  tables: Record<string, SQLiteTable>;
  /** Undefined for a store that nobody connects. */
  connections?: Connections;
  /** The change of its tables (`TABLE SET …`) after which nothing counts as sent to the store. Undefined for a store without such notes. */
  forgetSent?: string;
  /** Undefined for a store that sends none. */
  webhooks?: Receiving;
  /** Undefined for a store whose merchants cannot install an app themselves. */
  installs?: Installing;
  /** Undefined for a store whose pages prove nobody. */
  sessionTokens?: () => Promise<SessionTokens>;
  /** Undefined for a store that merchants do not connect by keys of theirs. */
  keyed?: () => Promise<KeyedStore>;
};

/** `path` is the address to which a store sends its webhooks, as the API document has it. */
export type Receiving = {
  path: string;
  load: () => Promise<StoreWebhooks | AddressedWebhooks>;
  describe: () => Promise<WebhookOperation>;
};

/** The paths that the store, or a merchant, opens to install the app, and to which the store's consent leads. */
export type Installing = { paths: { start: string; finish: string }; load: () => Promise<StoreInstalls> };

/** The differences between platforms, for code that does not open the store. */
export type PlatformTraits = {
  /** Whether it keeps contracts; those of the others are numbered here (own-contracts.ts). */
  keepsContracts: boolean;
  /** Whether it keeps the orders of its charges: it alone ships, cancels and refunds them, and tells what became of them. */
  keepsOrders: boolean;
  /** Whether it welcomes customers and sends them receipts itself. */
  sendsMails: boolean;
  /** Whether a customer may put another card in the place of one. Elsewhere a payment method changes as its issuer renews it, and no otherwise. */
  replacesCards: boolean;
  /** Whether it knows which payment methods customers have. The built-in store takes any. */
  keepsMethods: boolean;
  /** Whether customers enter payment methods on the portal's pages. */
  entersMethods: boolean;
  /** Whether it refuses an address whose province its own list does not have. */
  checksProvinces: boolean;
};

/** The table of a platform's connections, which hold credentials, and the column that says what these are sealed for besides their account. */
export type Connections = { table: ConnectionTable; place: SQLiteColumn };

type ConnectionTable = SQLiteTable &
  Record<"account_seq" | "credentials" | "updated_at" | "disconnected_at" | "next_action_at", SQLiteColumn>;
