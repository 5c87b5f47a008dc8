import { readFileSync } from "node:fs";
import { logLines } from "../../src/base/lib/log-lines.ts";
import { root } from "../paths.ts";
import { table, withPart } from "./part.ts";

type Line = (typeof logLines)[number];

/** docs/run/alerts.md: the rules of ops/alerts.yml, and the lines of the log that people are to be told of. */
export function withAlerts(text: string): string {
  const page = withPart(text, "Rules", table(["Rule", "Severity", "What to do"], rulesOf(alertsFile())));
  return withPart(page, "Alerts", itemsOf(logLines.filter(isAlert)));
}

/** docs/run/log.md with all other lines of the log. */
export function withLogLines(text: string): string {
  return withPart(text, "Events of the log", itemsOf(logLines.filter((line) => !isAlert(line))));
}

function isAlert({ says }: Line): boolean {
  return says.includes("`alert`");
}

/** Each line with its events, fields and meaning. On the page of alerts every line has `alert`, so it is not said again. */
function itemsOf(lines: readonly Line[]): string {
  return lines
    .map(({ events, says }) => {
      const fields = says.replace(/^`alert`(, |; )?/, "");
      return `- ${events.map((event) => `\`${event}\``).join(", ")}: ${fields}`;
    })
    .join("\n");
}

function alertsFile(): string {
  return readFileSync(`${root}ops/alerts.yml`, "utf8");
}

/** The name, severity and advice of each rule. */
function rulesOf(yaml: string): string[][] {
  const rules = yaml.split(/^ +- alert: /m).slice(1);
  return rules.map((rule) => {
    const [, name = ""] = /^(\w+)/.exec(rule) ?? [];
    const [, severity = ""] = /severity: (\w+)/.exec(rule) ?? [];
    const [, advice = ""] = /do: "([^"]+)"/.exec(rule) ?? [];
    return [name, severity, advice];
  });
}
