import { invalid, wrongParameter } from "./errors.ts";
import type { Params } from "./form.ts";
import { integer, text } from "./parameters.ts";

type Listed = { id: string; created: number };

export const listParams = ["limit", "starting_after", "ending_before", "created", "expand"] as const;

/**
 * A page of a list, the newest first (docs.stripe.com/api/pagination): 10 records or `limit`, at most 100; `starting_after` and
 * `ending_before` name a record, which the page does not have. Records of one second: the later made first (guess).
 */
export function listPage<T extends Listed>(url: string, records: Iterable<T>, params: Params) {
  const limit = integer(params, "limit") ?? 10;
  if (limit < 1 || limit > 100)
    throw wrongParameter("limit", "parameter_invalid_integer", "This value must be between 1 and 100.");
  const all = [...records].reverse().sort((one, other) => other.created - one.created);
  const found = all.filter(({ created }) => isWithin(created, params.created));
  const after = text(params, "starting_after");
  const before = text(params, "ending_before");
  if (after !== undefined && before !== undefined)
    throw invalid("You cannot parameterize with both ending_before and starting_after.");
  // The record that a page starts after need not be of the filtered list (guess): its place among all counts.
  const placeOf = (id: string, param: string): number => {
    const index = all.findIndex((one) => one.id === id);
    if (index < 0) throw invalid(`No such object: '${id}'`, { code: "resource_missing", param });
    return index;
  };
  const kept = new Set(found);
  if (before !== undefined) {
    const preceding = all.slice(0, placeOf(before, "ending_before")).filter((one) => kept.has(one));
    return page(url, preceding.slice(-limit), preceding.length > limit);
  }
  const start = after === undefined ? 0 : placeOf(after, "starting_after") + 1;
  const following = all.slice(start).filter((one) => kept.has(one));
  return page(url, following.slice(0, limit), following.length > limit);
}

function page<T>(url: string, data: T[], has_more: boolean) {
  return { object: "list" as const, data, has_more, url };
}

/** `created` is a second, or has bounds: gt, gte, lt and lte (docs.stripe.com/api/payment_intents/list). */
function isWithin(created: number, filter: string | Params | undefined): boolean {
  if (filter === undefined) return true;
  if (typeof filter === "string") return created === Number(filter);
  return Object.entries(filter).every(([bound, value]) => {
    const second = Number(value);
    if (!Number.isInteger(second) || !(bound in bounds))
      throw wrongParameter(
        `created[${bound}]`,
        "parameter_unknown",
        `Received unknown parameter: created[${bound}]`,
      );
    return bounds[bound as keyof typeof bounds](created, second);
  });
}

const bounds = {
  gt: (created: number, second: number) => created > second,
  gte: (created: number, second: number) => created >= second,
  lt: (created: number, second: number) => created < second,
  lte: (created: number, second: number) => created <= second,
};
