/** The command itself is wrong, as against one that is refused. */
export class UsageError extends Error {}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** Every option of every subcommand, as `parseArgs` takes them. */
export const options = {
  shop: text,
  to: text,
  name: text,
  timezone: text,
  currency: text,
  engine: text,
  account: text,
  key: text,
  email: text,
  role: text,
  scopes: text,
  "expires-in": text,
  "requires-preview": flag,
  "max-amount": text,
  credentials: text,
  url: text,
  attempt: text,
  charged: text,
  amount: text,
  since: text,
  at: text,
  confirm: text,
  file: text,
  "not-charged": flag,
  "dry-run": flag,
  force: flag,
  all: flag,
  test: flag,
  data: text,
  env: text,
  remote: flag,
  help: { ...flag, short: "h" },
} as const;

export type Values = {
  [K in keyof typeof options]?: (typeof options)[K]["type"] extends "boolean" ? boolean : string;
};
