import { v7 } from "uuid";
import type { Instant } from "./time/dates.ts";

/**
 * A new record id: a UUIDv7 (RFC 9562 §5.7), so that ids sort by creation time. With an instant it holds that instead; ids of one
 * instant are in the order in which they are made.
 */
export function newId(at?: Instant): string {
  return at === undefined ? v7() : v7({ msecs: Date.parse(at), seq: ++made });
}

/** A text that the ids of this instant and of later ones follow, and those of earlier ones do not. */
export function firstIdAt(at: Instant): string {
  const digits = Date.parse(at).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** The instant that an id holds. */
export function instantOf(id: string): Instant {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}

/** Whether a string can be the id of a record. Any other string is unknown without a query. */
export function isId(value: string): boolean {
  return uuid.test(value);
}

let made = 0;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
