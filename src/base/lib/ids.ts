import { v7 } from "uuid";
import type { Instant } from "./time/dates.ts";

/**
 * A new record id: a UUIDv7 (RFC 9562 §5.7), so that ids sort by creation time. With an instant it holds that instead; ids of one
 * instant are in the order in which they are made.
 */
export function newId(at?: Instant): string {
  const random = randomOfOne();
  if (at !== undefined) return v7({ msecs: Date.parse(at), seq: ++made, random });
  const now = Date.now();
  if (now > last.msecs)
    last = { msecs: now, seq: new DataView(random.buffer).getUint32(random.byteOffset) >>> 1 };
  else last.seq++;
  return v7({ ...last, random });
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

/** The last id that was made for no instant given: those of the same moment count on from it. */
let last = { msecs: Number.NEGATIVE_INFINITY, seq: 0 };

/** Random bytes for many ids: to ask the system for those of one takes longer than to make the id. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;

function randomOfOne(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
