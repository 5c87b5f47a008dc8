import { wrongParameter } from "./errors.ts";
import type { Params } from "./form.ts";
import type { Metadata } from "./records.ts";

/** The codes are those of docs.stripe.com/error-codes, the messages those that public logs show. */
export function text(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw wrongParameter(name, "parameter_invalid_string", "Invalid string");
  if (value === "")
    throw wrongParameter(
      name,
      "parameter_invalid_empty",
      `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a field; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
    );
  return value;
}

/** A text that may be unset by an empty one. */
export function unsettable(params: Params, name: string): string | null | undefined {
  return params[name] === "" ? null : text(params, name);
}

export function required(params: Params, name: string): string {
  const value = text(params, name);
  if (value === undefined)
    throw wrongParameter(name, "parameter_missing", `Missing required param: ${name}.`);
  return value;
}

export function integer(params: Params, name: string): number | undefined {
  const value = text(params, name);
  if (value === undefined) return undefined;
  if (!/^-?\d+$/.test(value))
    throw wrongParameter(name, "parameter_invalid_integer", `Invalid integer: ${value}`);
  return Number(value);
}

export function flag(params: Params, name: string): boolean | undefined {
  const value = text(params, name);
  if (value === undefined) return undefined;
  if (value !== "true" && value !== "false")
    throw wrongParameter(name, "parameter_invalid_boolean", `Invalid boolean: ${value}`);
  return value === "true";
}

export function oneOf<const T extends string>(
  params: Params,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = text(params, name);
  if (value === undefined || allowed.includes(value as T)) return value as T | undefined;
  throw wrongParameter(
    name,
    "parameter_invalid_string",
    `Invalid ${name}: must be one of ${allowed.join(", ")}`,
  );
}

export function nested(params: Params, name: string): Params | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  if (typeof value !== "object") throw wrongParameter(name, "parameter_invalid_string", "Invalid object");
  return value;
}

export function list(params: Params, name: string): string[] | undefined {
  const value = nested(params, name);
  return value && Object.values(value).map(String);
}

/**
 * Metadata with changes: a key with an empty value is unset, and all are by an empty `metadata`. At most 50 keys of 40 characters, with
 * values of 500 (docs.stripe.com/metadata).
 */
export function changedMetadata(params: Params, before: Metadata = {}): Metadata {
  if (params.metadata === "") return {};
  const changed: Metadata = { ...before };
  for (const [key, value] of Object.entries(nested(params, "metadata") ?? {})) {
    const param = `metadata[${key}]`;
    if (typeof value !== "string") throw wrongParameter(param, "parameter_invalid_string", "Invalid string");
    if (key.length > 40)
      throw wrongParameter(param, "parameter_invalid_string", "Metadata keys can have up to 40 characters.");
    if (value.length > 500)
      throw wrongParameter(
        param,
        "parameter_invalid_string",
        "Metadata values can have up to 500 characters.",
      );
    if (value === "") delete changed[key];
    else changed[key] = value;
  }
  if (Object.keys(changed).length > 50)
    throw wrongParameter("metadata", "parameter_invalid_string", "Metadata can have up to 50 keys.");
  return changed;
}

/** A parameter that the endpoint does not have is refused (docs.stripe.com/error-codes, `parameter_unknown`). */
export function refuseUnknown(params: Params, known: readonly string[]): void {
  for (const name of Object.keys(params))
    if (!known.includes(name))
      throw wrongParameter(name, "parameter_unknown", `Received unknown parameter: ${name}`);
}
