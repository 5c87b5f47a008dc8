import type { Field } from "../forms/fields.ts";

export const required = { isRequired: true } as const;
export const nullable = { isNullable: true } as const;
type More = { help?: string; isRequired?: true; isNullable?: true; isList?: true };

export function text(name: string, label: string, more: More = {}): Field {
  return { name, label, kind: "text", ...more };
}

export function number(name: string, label: string, more: More = {}): Field {
  return { name, label, kind: "number", ...more };
}

export function amount(name: string, label: string, more: More = {}): Field {
  return { name, label, kind: "amount", ...more };
}

export function secret(name: string, label: string, more: More = {}): Field {
  return { name, label, kind: "secret", ...more };
}

export function flag(name: string, label: string): Field {
  return { name, label, kind: "flag" };
}

export function choice(
  name: string,
  label: string,
  choices: NonNullable<Extract<Field["choices"], readonly unknown[]>>,
  more: Omit<More, "isList"> = {},
): Field {
  return { name, label, kind: "choice", choices, ...more };
}

export function date(name: string, label: string): Field {
  return { name, label, kind: "date", isRequired: true };
}
