import { readFileSync } from "node:fs";
import { type LogEvent, logLines } from "../../src/base/lib/log-lines.ts";
import { root } from "../paths.ts";
import { table, withPart } from "./part.ts";

type Line = (typeof logLines)[number];

/** docs/run/alerts.md: the rules of ops/alerts.yml, and the lines of the log that people are to be told of. */
export function withAlerts(text: string): string {
  const page = withPart(text, "Rules", table(["Rule", "Severity", "What to do"], rulesOf(alertsFile())));
  return withPart(page, "Alerts", itemsOf(logLines.filter(isAlert)));
}

/** docs/run/log.md with all other lines of the log that somebody may look for. */
export function withLogLines(text: string): string {
  return withPart(
    text,
    "Events of the log",
    itemsOf(logLines.filter((line) => !isAlert(line) && !isPlain(line))),
  );
}

/** By their first event, the lines whose name and `cause` say all, and after which nobody has to do anything. */
const plain: ReadonlySet<LogEvent> = new Set<LogEvent>([
  "dead_letter_not_noted",
  "store_cycle_not_read",
  "payment_reminder",
  "portal_login_not_sent",
  "staff_login_not_sent",
  "jobs_not_sent",
  "accounts_not_read",
  "swept_apart",
  "store_not_asked",
  "object_not_begun",
  "message_not_understood",
  "upload_not_removed",
  "rate_limiter_failed",
  "mail",
  "account_moves",
  "operator_statements",
  "store_scopes_unknown",
  "export_part_sent",
  "job_page_not_read",
  "job_without_record",
  "staff_visit_not_noted",
  "portal_language_not_kept",
  "portal_login_link",
  "store_installed",
  "customer_email_taken",
  "webhook_not_registered",
]);

function isPlain({ events: [first] }: Line): boolean {
  return plain.has(first);
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
