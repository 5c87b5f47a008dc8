import { logLines } from "../../src/base/lib/log-lines.ts";
import { withPart } from "./part.ts";

/** docs/operating.md with the events of the log as the code has them. */
export function withLogLines(text: string): string {
  const items = logLines.map(
    ({ events, says }) => `- ${events.map((event) => `\`${event}\``).join(", ")}: ${says}`,
  );
  return withPart(text, "Events of the log", items.join("\n"));
}
