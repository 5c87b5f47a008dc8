import type { Account } from "../../base/accounts/tables.ts";
import type { IntervalUnit } from "../../base/lib/time/intervals.ts";
import { traitsOf } from "../../stores/platforms.ts";
import type { WebhookEndpoint } from "../webhook-endpoints/tables.ts";
import { kindNamed, type MailKind, mailKinds } from "./kinds.ts";
import type { MailProvider } from "./tables.ts";

/** Customers of subscriptions with such an interval, or a longer one of the unit, are reminded so many days before a charge. */
type ReminderRule = { interval: IntervalUnit; at_least: number; days_before: number };

/** The settings of an account's mails, as its mail endpoint keeps them. */
export type MailSettings = {
  provider: MailProvider;
  from_name: string;
  from_address: string | null;
  reply_to: string | null;
  has_credentials: boolean;
  is_enabled: boolean;
  kinds: Record<MailKind, { is_enabled: boolean }>;
  postal_address: string | null;
  reminders: ReminderRule[];
};

/** The part of the settings that is stored as JSON; a kind is named once the merchant has set it. */
type Stored = Pick<
  MailSettings,
  "provider" | "from_name" | "from_address" | "reply_to" | "has_credentials" | "postal_address" | "reminders"
> & { kinds: Partial<MailSettings["kinds"]> };

type MailEndpoint = Pick<WebhookEndpoint, "mail" | "is_enabled">;

/** The settings of an account; without an endpoint nobody is written to. */
export function mailSettingsOf(
  account: Pick<Account, "name" | "store">,
  endpoint: MailEndpoint | undefined,
): MailSettings {
  const stored = { ...defaults(account), ...(JSON.parse(endpoint?.mail ?? "{}") as Partial<Stored>) };
  return {
    ...stored,
    is_enabled: endpoint?.is_enabled === 1,
    kinds: { ...defaultKinds(account), ...stored.kinds },
  };
}

/** The columns of a mail endpoint with these settings. Events that a customer has caused are told where that is of use to them. */
export function endpointColumns({ is_enabled, kinds, ...stored }: MailSettings) {
  const wanted = mailKinds.filter((kind) => kinds[kind].is_enabled).map(kindNamed);
  return {
    mail: JSON.stringify({ ...stored, kinds } satisfies Stored),
    event_types: JSON.stringify(wanted.flatMap(({ events }) => events)),
    own_event_types: JSON.stringify(wanted.flatMap(({ events, ownEvents }) => ownEvents ?? events)),
    is_enabled: is_enabled && stored.provider !== "none" ? (1 as const) : (0 as const),
  };
}

/** California asks for 15 to 45 days before a yearly charge, Massachusetts (940 CMR 38) for 5 to 30 where a term exceeds a month. */
const defaultReminders: ReminderRule[] = [
  { interval: "YEAR", at_least: 1, days_before: 20 },
  { interval: "MONTH", at_least: 12, days_before: 20 },
  { interval: "WEEK", at_least: 52, days_before: 20 },
  { interval: "DAY", at_least: 365, days_before: 20 },
  { interval: "MONTH", at_least: 2, days_before: 7 },
  { interval: "WEEK", at_least: 5, days_before: 7 },
  { interval: "DAY", at_least: 32, days_before: 7 },
];

function defaults({ name }: Pick<Account, "name">): Stored {
  return {
    provider: "none",
    from_name: name,
    from_address: null,
    reply_to: null,
    has_credentials: false,
    kinds: {},
    postal_address: null,
    reminders: defaultReminders,
  };
}

function defaultKinds({ store }: Pick<Account, "store">): MailSettings["kinds"] {
  const kinds = mailKinds.map((kind) => [
    kind,
    { is_enabled: isOnAtFirst(kind, traitsOf({ store }).sendsMails) },
  ]);
  return Object.fromEntries(kinds);
}

function isOnAtFirst(kind: MailKind, storeSendsMails: boolean): boolean {
  const { isOffAtFirst, isSentByStores } = kindNamed(kind);
  return !isOffAtFirst && !(isSentByStores && storeSendsMails);
}
