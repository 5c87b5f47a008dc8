import type { Scope } from "../../base/accounts/scopes.ts";
import type { RequiredCredentials } from "../../kit/http/document/operation.ts";

export const exportResources = ["profiles", "subscriptions", "orders", "billing_attempts", "events"] as const;
export type ExportResource = (typeof exportResources)[number];

export const exportFormats = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The credentials and the scope that reading a resource needs: an export of it needs no less. */
export const reachOf: Record<ExportResource, { credentials: RequiredCredentials; scope: Scope }> = {
  profiles: { credentials: "apiKeyAndBearer", scope: "profiles:read" },
  subscriptions: { credentials: "apiKey", scope: "subscriptions:read" },
  orders: { credentials: "apiKeyAndBearer", scope: "orders:read" },
  billing_attempts: { credentials: "apiKey", scope: "billing:read" },
  events: { credentials: "apiKey", scope: "events:read" },
};

/** A part of an export, as its address says it: nothing of it is stored. */
export type ExportPart = {
  export_id: string;
  account_id: string;
  /** The key that asked for the export; null where a session of staff did, which is then named. */
  key_id: string | null;
  session_id?: string;
  n: number;
  resource: ExportResource;
  format: ExportFormat;
  /** The fields that are written; all where it names none. */
  fields: string[] | null;
  /** The values of the list's filters. */
  filters: PartFilters;
  /** The rows whose key lies behind `after`, up to `up_to`. */
  after: string | number;
  up_to: string | number;
  expires_at: string;
};

export type PartFilters = Record<string, string | number | string[]>;
