import { webhookDescriptions } from "../../src/domain/webhook-endpoints/event-schemas.ts";
import { apiDocument } from "../../src/runtime/operations.ts";
import { withPart } from "./part.ts";

/** The page of events, with each type of the document and with one example of it. */
export async function withEvents(text: string): Promise<string> {
  const { webhooks, components } = JSON.parse(JSON.stringify(await apiDocument(new Date("2026-11-20"))));
  const objectsOf = (type: string): string => {
    const { $ref } = bodyOf(webhooks[type]).schema.properties.data;
    const forms: { $ref?: string }[] = components.schemas[nameIn($ref)].properties.object?.anyOf ?? [];
    return forms.flatMap((form) => (form.$ref ? [nameIn(form.$ref)] : [])).join(" or ");
  };
  const groups = Map.groupBy(webhookDescriptions, ({ type }) => objectsOf(type));
  const lists = [...groups].map(([object, its]) => {
    const named = its.filter(({ summary }) => !hasMore(summary)).map(({ type }) => `\`${type}\``);
    const told = its.filter(({ summary }) => hasMore(summary));
    return [
      `**${object === "" ? "No object" : `Object ${object}`}**${named.length > 0 ? `: ${named.join(", ")}` : ""}`,
      "",
      ...told.map(({ type, summary }) => `- \`${type}\`: ${summary}`),
    ].join("\n");
  });
  const example = JSON.stringify(bodyOf(webhooks["subscription.paused"]).example, null, 2);
  return withPart(
    withPart(text, "An event", `\`\`\`json\n${example}\n\`\`\``),
    "Types of events",
    lists.join("\n\n"),
  );
}

/** Whether a receiver has to know more of a type than its name says. */
function hasMore(summary: string): boolean {
  return summary.includes("`");
}

// biome-ignore lint/suspicious/noExplicitAny: a part of the document, walked as data
function bodyOf(webhook: any) {
  return webhook.post.requestBody.content["application/json"];
}

function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}
