import { z } from "@hono/zod-openapi";
import { distance } from "fastest-levenshtein";

/** Longer names are not misspelt ones, and comparing them takes long. */
const longestName = 64;

/** The name that the caller probably meant: a field of the schema at this path that is spelt nearly so. */
export function nearestName(
  schema: z.core.$ZodType | undefined,
  path: PropertyKey[],
  unknown: string,
): string | undefined {
  if (unknown.length > longestName) return undefined;
  const ranked = namesAt(schema, path)
    .map((name) => ({ name, faults: faultsBetween(unknown, name) }))
    .filter(({ faults }) => faults <= Math.ceil(unknown.length / 3))
    .toSorted((a, b) => a.faults - b.faults);
  return ranked[0]?.name;
}

/** How many letters differ. Case and dividers count for nothing, and a name that was cut short for little. */
function faultsBetween(unknown: string, name: string): number {
  const [asked, known] = [lettersOf(unknown), lettersOf(name)];
  const isCut = asked.length > 2 && known.startsWith(asked) && known !== asked;
  return isCut ? 1 : distance(asked, known);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The fields that an object may have there; of a union those of every member. */
function namesAt(schema: z.core.$ZodType | undefined, path: PropertyKey[]): string[] {
  let found = formsOf(schema);
  for (const key of path) found = found.flatMap((form) => formsOf(memberOf(form, key)));
  return found.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []));
}

function memberOf(form: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  if (form instanceof z.ZodArray) return form.element;
  return form instanceof z.ZodObject && Object.hasOwn(form.shape, key) ? form.shape[String(key)] : undefined;
}

/** The objects and lists that a schema accepts. */
function formsOf(schema: z.core.$ZodType | undefined): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return formsOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(formsOf);
  if (schema instanceof z.ZodPipe) return [...formsOf(schema.in), ...formsOf(schema.out)];
  return schema ? [schema] : [];
}
