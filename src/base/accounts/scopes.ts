/** The resources that a credential may be limited to. Each is read or changed. */
export const resources = [
  "account",
  "profiles",
  "entities",
  "subscriptions",
  "billing",
  "plans",
  "delivery",
  "orders",
  "activity",
  "reasons",
  "events",
  "webhooks",
  "mails",
  "jobs",
  "insights",
  "tokens",
  "portal",
  "staff",
] as const;
export type Resource = (typeof resources)[number];

export type Scope = `${Resource}:${"read" | "write"}`;

export const allScopes: Scope[] = resources.flatMap((resource) => [
  `${resource}:read` as const,
  `${resource}:write` as const,
]);

/** The scopes in a list divided by spaces (RFC 6749 §3.3), as the `scope` claim and the database have it. Unknown words grant nothing. */
export function parseScopes(text: string): Scope[] {
  return text.split(" ").filter(isScope);
}

export function formatScopes(scopes: Scope[]): string {
  return scopes.join(" ");
}

function isScope(text: string): text is Scope {
  return (allScopes as string[]).includes(text);
}
