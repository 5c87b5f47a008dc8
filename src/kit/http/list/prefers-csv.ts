import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { HonoEnv } from "../document/operation.ts";

const json = "application/json";
const csv = "text/csv";

/** Whether the client names CSV, and prefers it to JSON. */
export function prefersCsv(c: Context<HonoEnv>): boolean {
  const preferred = accepts(c, {
    header: "Accept",
    supports: [json, csv],
    default: json,
    match: (accepted) => {
      const quality = (type: string) =>
        Math.max(0, ...accepted.filter((each) => each.type.toLowerCase() === type).map(({ q }) => q));
      return quality(csv) > quality(json) ? csv : json;
    },
  });
  return preferred === csv;
}
