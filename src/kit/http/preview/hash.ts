import { sha256Hex } from "../../../base/lib/encoding.ts";

/** A request in the parts that decide what it does. */
type AskedFor = { method: string; path: string; query: unknown; body: unknown };

/**
 * The hash of a request and of what it would do. Two previews of one request have the same while nothing of it has changed, whoever asks:
 * instants, ids that are `made` for the answer, records beside it and what the caller may do are no part of it.
 */
export async function previewHash(
  { method, path, query, body }: AskedFor,
  answer: unknown,
  made: string[],
): Promise<string> {
  const { dry_run: _, ...asked } = (query ?? {}) as Record<string, unknown>;
  return sha256Hex(canonical([method, path, asked, body ?? null, decidedOf(answer, new Set(made))]));
}

/** JSON whose members are in the order of their names. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member) => (isRecord(member) ? sorted(member) : member));
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function decidedOf(value: unknown, made: Set<unknown>): unknown {
  if (Array.isArray(value)) return value.map((member) => decidedOf(member, made));
  if (made.has(value)) return "new";
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name, member]) => isDecided(name, member));
  return Object.fromEntries(kept.map(([name, member]) => [name, decidedOf(member, made)]));
}

function isDecided(name: string, member: unknown): boolean {
  return !notDecided.test(name) && !(embedded.has(name) && member !== null && typeof member === "object");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const notDecided =
  /^(id|number|can_.*|store_.*|.*_reminder_.*|total_revenue|account_id|created_by|message|is_new|estimate_seconds)$|_at$/;

/** Records of others beside the one that is changed; their ids are part of it. */
const embedded = new Set(["profile", "entities", "delivery_day", "delivery_slot", "last_order", "dispute"]);
