import type { Statement } from "../../../src/base/db/port.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import type { api } from "../client.ts";
import type { Tenant } from "../tenant.ts";

export type Values = Record<string, string>;

/** The part of a tenant's world that one resource adds: its rows, and the ids and bodies with which requests succeed. */
export type Part = {
  writes: Statement[];
  /** Values of the path's parameters, by the path as documented. */
  paths?: Record<string, Values>;
  /** A body that succeeds, by operationId, where the document's example cannot (it names the demo store). */
  bodies?: Record<string, unknown>;
  /** A body that succeeds, by operationId, where it is not JSON. */
  raw?: Record<string, { raw: string; headers: Values }>;
  /** A query that succeeds, by operationId, where parameters are required. */
  queries?: Record<string, Values>;
  /** How the sender signs the bytes of the body, by operationId. */
  signed?: Record<string, Signed>;
};

/** Returns the headers that a body is sent with, and the deployment that receives it; and the bytes, if the proof is within the body. */
export type Signed = (
  body: Uint8Array<ArrayBuffer>,
) => Promise<{ headers: Values; ask: typeof api; bytes?: Uint8Array<ArrayBuffer> }>;

/** Makes the part of one resource. `mark` stands in all of its texts. */
export type MakePart = (of: Tenant, mark: string, ids: Ids) => Part;

export function newIds(): Ids {
  return {
    ...(Object.fromEntries(idNames.map((name) => [name, newId()])) as Ids),
    plan: storeNumber(),
    sparePlan: storeNumber(),
    variant: storeNumber(),
  };
}

/** An id as a store numbers its records. */
export function storeNumber(): string {
  return String(BigInt(`0x${newId().replaceAll("-", "").slice(-14)}`));
}

const idNames = [
  "profile",
  "spare",
  "address",
  "entity",
  "day",
  "slot",
  "closedDay",
  "plan",
  "sparePlan",
  "variant",
  "subscription",
  "skipped",
  "billed",
  "skip",
  "skipReason",
  "method",
  "spareMethod",
  "line",
  "discount",
  "order",
  "sold",
  "sent",
  "calledOff",
  "refund",
  "attempt",
  "paid",
  "reviewed",
  "episode",
  "mailer",
  "log",
  "endpoint",
  "member",
  "spareKey",
  "job",
  "paused",
  "ready",
  "undone",
  "staged",
  "moved",
  "leaving",
  "leavingCase",
  "going",
  "goingCase",
  "declaration",
  "offer",
] as const;

/** The ids by which parts refer to each other's records. Nothing refers to the profile `spare`, so it can be deleted. */
export type Ids = Record<(typeof idNames)[number], string>;

export const now = "2026-01-01T00:00:00.000Z";
export const stamps = { created_at: now, updated_at: now };
