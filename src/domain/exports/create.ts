import type { z } from "@hono/zod-openapi";
import { insertAccountEntry } from "../../base/accounts/history.ts";
import { readNamed } from "../../base/db/statement.ts";
import { invalid } from "../../base/errors.ts";
import { definedFields } from "../../base/lib/defined-fields.ts";
import { later } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";
import { commitEntries, newEntryId } from "../../kit/journal/write.ts";
import { parseFilters as attemptFilters } from "../billing/filters.ts";
import { getEvent, selectLastSequence } from "../events/queries.ts";
import { parseFilters as orderFilters } from "../orders/filters.ts";
import { parseFilters as subscriptionFilters } from "../subscriptions/list/filters.ts";
import { fieldsOf } from "./fields.ts";
import { type KeyRange, rangesOf, selectRanges } from "./ranges.ts";
import type { PartFilters } from "./resources.ts";
import type { ExportRequest } from "./schemas.ts";

export type ExportOf = z.output<typeof ExportRequest>;

/** An export: its moment and its parts. Its history entry is all that is stored of it; the addresses say the rest. */
export type Export = { id: string | null; as_of_sequence: number; expires_at: string; ranges: KeyRange[] };

/** Fixes what an export has, and records it in the history. The actor of `ctx` is who asked for it. */
export async function createExport(ctx: Ctx, request: ExportOf, dryRun: boolean): Promise<Export> {
  requireFieldsOfFormat(request);
  const { resource, format, filter, fields } = request;
  const { sequence, found } = await readNamed(ctx.db, {
    sequence: selectLastSequence(ctx),
    found: selectRanges(ctx, resource),
  });
  const ranges = rangesOf(resource, found);
  const as_of_sequence = sequence[0]!.last;
  const expires_at = later(ctx.realNow, hourMs);
  if (dryRun) return { id: null, as_of_sequence, expires_at, ranges };
  const id = newEntryId(ctx);
  const metadata = { resource, format, ...definedFields({ filter, fields }), as_of_sequence, expires_at };
  const entry = insertAccountEntry({
    ...{ id, account: ctx.account.seq, action: "account_exported", author: ctx.actor, now: ctx.now },
    subject: { type: "account", id: ctx.account.id },
    metadata: { ...metadata, up_to: ranges.at(-1)!.up_to },
  });
  keepCreated(ctx, { entry: id });
  await commitEntries(ctx, [id], [entry]);
  return { id, as_of_sequence, expires_at, ranges };
}

/** The export that an entry records, for a request whose answer was lost. Throws NOT_FOUND. */
export async function readExport(ctx: Ctx, { resource }: ExportOf, id: string): Promise<Export> {
  const { metadata } = await getEvent(ctx, id);
  const { as_of_sequence, expires_at, up_to } = JSON.parse(metadata ?? "{}");
  const { found } = await readNamed(ctx.db, { found: selectRanges(ctx, resource, { upTo: up_to }) });
  return { id, as_of_sequence, expires_at, ranges: rangesOf(resource, found) };
}

/** The values of the filters that a request names, as the list of the resource takes them. */
export function filtersOf(ctx: Ctx, request: ExportOf): PartFilters {
  return definedFields(valuesOf(ctx, request)) as PartFilters;
}

function valuesOf(ctx: Ctx, request: ExportOf): object {
  switch (request.resource) {
    case "subscriptions":
      return subscriptionFilters(request.filter ?? {}, ctx);
    case "orders":
      return orderFilters(request.filter ?? {}, ctx.account.timezone);
    case "billing_attempts":
      return attemptFilters(request.filter ?? {}, ctx);
    default:
      return request.filter ?? {};
  }
}

/** Throws VALIDATION_FAILED for a field that the resource has in the other format only. */
function requireFieldsOfFormat({ resource, format, fields = [] }: ExportOf): void {
  const known = fieldsOf[resource][format];
  const faults = (fields as string[]).flatMap((field, nth) =>
    known.includes(field)
      ? []
      : [{ path: `fields.${nth}`, message: withSuggestion(`is not a field of ${format}`, known, field) }],
  );
  if (faults.length > 0) throw invalid(faults);
}
