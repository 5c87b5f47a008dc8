import { rules } from "../../src/domain/declarations/rules.ts";
import { withPart } from "./part.ts";

/** The page of leaving, with the law that it follows. */
export function withLaw(text: string): string {
  const rows = rules.map((rule) => {
    const source = rule.source.startsWith("https:")
      ? `[${rule.paragraph}](${rule.source})`
      : `${rule.paragraph}, ${rule.source}`;
    return `| ${source} | ${rule.where} | ${rule.since} | ${rule.asks} | ${"unsure" in rule ? rule.unsure : ""} |`;
  });
  const head = ["| Rule | Where | Since | Asks for | Not certain |", "| --- | --- | --- | --- | --- |"];
  return withPart(text, "The law", [...head, ...rows].join("\n"));
}
