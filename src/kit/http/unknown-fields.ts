import { z } from "@hono/zod-openapi";
import { withSuggestion } from "./nearest-name.ts";

/** The value that was sent, and the schema that it was checked with. */
export type SentValue = { value: unknown; schema: z.core.$ZodType | undefined };

/**
 * The message about an unknown field of the object at a path. `label` says so in general; the field may be one of another form of
 * the object, or a misspelt name of one that was not sent.
 */
export function unknownMessage(
  label: string,
  { value, schema }: SentValue,
  path: PropertyKey[],
  name: string,
): string {
  const sent = fieldsAt(value, path);
  const forms = objectsAt(schema, path);
  const owner = forms.find(({ shape }) => Object.hasOwn(shape, name));
  if (owner) return exclusionMessage(owner, forms, sent);
  const unsent = forms
    .flatMap(({ shape }) => Object.keys(shape))
    .filter((known) => !Object.hasOwn(sent, known));
  return withSuggestion(label, unsent, name);
}

/** The most names in a message about fields that exclude each other. */
const maxNames = 3;

type Fields = Record<string, unknown>;

/** Why a field cannot stay that another form of the object has: for other fields that were sent, or for the value of one. */
function exclusionMessage(owner: z.ZodObject, forms: z.ZodObject[], sent: Fields): string {
  const known = new Set(forms.flatMap(({ shape }) => Object.keys(shape)));
  const others = Object.keys(sent).filter((name) => known.has(name) && !Object.hasOwn(owner.shape, name));
  if (others.length > 0) return `cannot be sent together with ${others.slice(0, maxNames).join(", ")}`;
  for (const [name, field] of Object.entries(owner.shape))
    if (field instanceof z.ZodLiteral || field instanceof z.ZodEnum)
      if (!field.safeParse(sent[name]).success) return `is only for ${name} ${choicesOf(field).join(" or ")}`;
  return "is not allowed here";
}

function choicesOf(field: z.ZodLiteral | z.ZodEnum): unknown[] {
  return field instanceof z.ZodLiteral ? [...field.values] : field.options;
}

function fieldsAt(value: unknown, path: PropertyKey[]): Fields {
  const found = path.reduce((inner, key) => (isFields(inner) ? inner[String(key)] : undefined), value);
  return isFields(found) ? found : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The objects that may stand at a path; of a union those of every member. */
function objectsAt(schema: z.core.$ZodType | undefined, path: PropertyKey[]): z.ZodObject[] {
  let found = formsOf(schema);
  for (const key of path) found = found.flatMap((form) => formsOf(memberOf(form, key)));
  return found.filter((form) => form instanceof z.ZodObject);
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
