import { invalid } from "./errors.ts";
import type { FakeAccount } from "./store.ts";

type Json = Record<string, unknown>;

/** An answer with the records that `expand` names in place of their ids (docs.stripe.com/api/expanding_objects). */
export function expanded(account: FakeAccount, answer: object, paths: string[]): object {
  if (paths.length === 0) return answer;
  const copy = structuredClone(answer) as Json;
  for (const path of paths) expandPath(account, copy, path.split("."), path);
  return copy;
}

/** At most four levels. A field without an id stays as it is; one that names no record cannot be expanded. */
function expandPath(account: FakeAccount, value: Json, [field = "", ...rest]: string[], path: string): void {
  if (path.split(".").length > 4)
    throw invalid("You cannot expand more than 4 levels of a property.", { param: "expand" });
  const inner = value[field];
  if (Array.isArray(inner)) {
    for (const one of inner) expandPath(account, one, rest, path);
    return;
  }
  if (inner === null) return;
  if (typeof inner === "string") value[field] = structuredClone(recordOf(account, inner)) ?? refuse(path);
  else if (inner === undefined) refuse(path);
  if (rest.length > 0) expandPath(account, value[field] as Json, rest, path);
}

function refuse(path: string): never {
  throw invalid(`This property cannot be expanded (${path}).`, { param: "expand" });
}

function recordOf(account: FakeAccount, id: string): object | undefined {
  const { customers, methods, intents, setupIntents, charges, refunds } = account;
  for (const records of [customers, methods, intents, setupIntents, charges, refunds]) {
    const found = records.get(id);
    if (found) return found;
  }
  return undefined;
}
