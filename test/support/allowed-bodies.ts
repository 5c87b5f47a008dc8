import fc, { type Arbitrary } from "fast-check";
import { conforming } from "./arbitrary.ts";
import { jsonBodyOf, type Operation } from "./document.ts";
import { bodyOf, type World } from "./world.ts";

/** Bodies that the document allows, mostly with references to records that exist; none where the operation takes none. */
export function allowedBodies(operation: Operation, of: World): Arbitrary<unknown> {
  const schema = jsonBodyOf(operation);
  if (!schema) return fc.constant(undefined);
  const known = new Map(referencesIn(bodyOf(operation, of)));
  return fc
    .tuple(conforming(schema), fc.infiniteStream(fc.nat(3)))
    .map(([value, choices]) => withReferences(value, known, () => choices.next().value === 0));
}

/** A value with some of its references replaced by those of a request that succeeds, by the names of their fields. */
function withReferences(value: unknown, known: Map<string, unknown>, isKept: () => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, known, isKept));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    known.has(name) && !isKept() ? known.get(name) : withReferences(member, known, isKept),
  ]);
  return Object.fromEntries(members);
}

function referencesIn(value: unknown): [string, unknown][] {
  return typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]): [string, unknown][] =>
        name.endsWith("_id") || name === "ordered_ids" ? [[name, member]] : referencesIn(member),
      );
}
