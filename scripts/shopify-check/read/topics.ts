import { missingScopes } from "../../../src/stores/shopify/app/scopes.ts";
import { registrable } from "../../../src/stores/shopify/topics.ts";
import { confirmed, contradicted, type Outcome, untestable } from "../../store-check/outcome.ts";
import { describeTopics } from "../documents.ts";
import type { Lab } from "../lab.ts";

/** Whether the store's version knows each topic, and the app has a scope that its description names. */
export async function checkTopics({ ask, scopes }: Lab & { scopes: string[] }): Promise<Outcome> {
  const answer = (await ask(describeTopics, {})) as Described;
  const described = new Map(
    answer.__type?.enumValues.map(({ name, description }) => [name, description ?? ""] as const),
  );
  if (described.size === 0) return untestable("the store does not describe its topics");
  const names = registrable.map(({ topic }) => topic);
  const unknown = names.filter((name) => !described.has(name));
  if (unknown.length > 0) return contradicted(`the version does not know ${unknown.join(", ")}`);
  const withScopes = names.filter((name) => scopesIn(described.get(name)!).length > 0);
  if (withScopes.length === 0) return untestable("the store's descriptions name no scopes");
  const denied = withScopes.filter((name) => {
    const needed = scopesIn(described.get(name)!);
    return missingScopes(needed, scopes).length === needed.length;
  });
  if (denied.length > 0) return contradicted(`the app has no scope for ${denied.join(", ")}`);
  return confirmed(`${names.length} topics, ${withScopes.length} of them with scopes that the app has`);
}

type Described = { __type: { enumValues: { name: string; description: string | null }[] } | null };

function scopesIn(description: string): string[] {
  return description.match(/\b(?:read|write)_[a-z_]+/g) ?? [];
}
