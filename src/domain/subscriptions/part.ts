import type { Statement } from "../../base/db/port.ts";
import type { SystemAction } from "../../base/event-types.ts";
import type { Job } from "../../base/job.ts";
import type { Entry } from "../../kit/journal/write.ts";
import type { SubscriptionView } from "./queries.ts";
import type { Subscription } from "./tables.ts";

/**
 * A part of a change of a subscription: what it sets, writes and sends. A decision is a part, and so is what its helpers decide; parts
 * are joined by `combine` alone. A change that writes anything has an entry: its own, or that of a related record.
 */
export type Part<Result = never> = {
  /** None where the entry of another record, such as an order's, describes the whole event. */
  entry?: ActivityEntry;
  /** Values that join the metadata of the change's entry. */
  metadata?: Record<string, unknown>;
  /** The columns that the change sets. */
  columns?: Partial<Subscription>;
  /** The columns that the change sets where no part sets them by `columns`. */
  defaults?: Partial<Subscription>;
  /** Further entries of the subscription. */
  ownEntries?: ActivityEntry[];
  /** Entries of other records that the writes create or change. */
  relatedEntries?: Entry[];
  /** Further writes of the same batch. */
  writes?: Statement[];
  /** Jobs that are sent after the commit. */
  jobs?: Job[];
  /** Records shown with the subscription that the change replaces. */
  shown?: Partial<Omit<SubscriptionView, "row">>;
  /** The value that the caller gets besides the subscription. */
  result?: Result;
};

/** An entry of a subscription's history. */
export type ActivityEntry = { action: SystemAction; metadata?: Record<string, unknown>; order_id?: string };

/**
 * Joins the parts of one change. Lists follow one another in the order of the parts. An entry and a result stand in one part at most, and
 * no two parts set a column, a field of the metadata or a shown record to different values: that is a fault of the code, and throws.
 */
export function combine<Parts extends (Part<unknown> | undefined)[]>(
  ...parts: Parts
): Part<ResultIn<Parts[number]>> {
  const given = parts.flatMap((part = {}) => Object.entries(part)).filter(([, value]) => value !== undefined);
  const joined = [...Map.groupBy(given, ([field]) => field)].map(([field, pairs]) => {
    const values = pairs.map(([, value]) => value);
    return [field, joinOf(field)(field, values)];
  });
  return withJoinedMetadata(Object.fromEntries(joined));
}

/** The part for a change that has an entry of its own: the part's entry becomes the first of its further ones. */
export function demoteEntry<Result>(part: Part<Result>): Part<Result> {
  const { entry, ownEntries = [], ...rest } = combine(part) as Part<Result>;
  return entry ? { ...rest, ownEntries: [entry, ...ownEntries] } : part;
}

/** The part with this result, in place of the one that it has. */
export function withResult<Result>(part: Part<unknown>, result: Result): Part<Result> {
  return { ...part, result };
}

type Join = (field: string, values: unknown[]) => unknown;

/** The rules by which the values of each field are joined: a field without a rule does not compile. */
const joins: Record<keyof Part, Join> = {
  entry: takeOne,
  metadata: joinFields,
  columns: joinFields,
  defaults: joinFields,
  ownEntries: append,
  relatedEntries: append,
  writes: append,
  jobs: append,
  shown: joinFields,
  result: takeOne,
};

function joinOf(field: string): Join {
  if (!Object.hasOwn(joins, field)) throw new Error(`A part of a change has no field "${field}"`);
  return joins[field as keyof Part];
}

function takeOne(field: string, [value, ...others]: unknown[]): unknown {
  if (others.length > 0) throw new Error(`Several parts of a change have the field "${field}"`);
  return value;
}

function append(_: string, lists: unknown[]): unknown[] {
  return lists.flat();
}

function joinFields(field: string, records: unknown[]): Record<string, unknown> {
  const joined = new Map<string, unknown>();
  for (const [name, value] of records.flatMap((record) => Object.entries(record as object))) {
    if (joined.has(name) && joined.get(name) !== value)
      throw new Error(`Parts of a change contradict each other: ${field}.${name}`);
    joined.set(name, value);
  }
  return Object.fromEntries(joined);
}

function withJoinedMetadata<Result>(part: Part<Result>): Part<Result> {
  const { entry, metadata, ...rest } = part;
  if (!entry || !metadata) return part;
  return { ...rest, entry: { ...entry, metadata: joinFields("metadata", [entry.metadata ?? {}, metadata]) } };
}

/** The result that one of these parts has. */
type ResultIn<P> = P extends { result?: unknown }
  ? "result" extends keyof P
    ? Exclude<P["result"], undefined>
    : never
  : never;
