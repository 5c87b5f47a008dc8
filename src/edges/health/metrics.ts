import { newestMigration, version } from "../../base/db/newest-migration.ts";
import { limit_bytes } from "../../base/db/room.ts";
import type { DeploymentCondition } from "./condition.ts";
import type { Figures } from "./figures.ts";

type Labels = Record<string, string>;
type Metric = { name: string; help: string; values: [Labels, number | undefined][] };

/**
 * The condition of a deployment as Prometheus reads it. Figures are those of the last tick, ages grow until the next one; no label names an
 * account. A figure that is not known is left out.
 */
export function metricsText({ heartbeat, backlogs, faults }: DeploymentCondition): string {
  const figures: Partial<Figures> = heartbeat?.figures ?? {};
  const bytes = figures.database_bytes || undefined;
  const isFault = (part: string): boolean => faults.some((fault) => fault.part === part);
  const metrics: Metric[] = [
    one("info", "The version that serves, and the newest migration that it works with.", 1, {
      version,
      schema: newestMigration,
    }),
    one("healthy", "1 while /health answers 200.", Number(faults.length === 0)),
    one(
      "schema_current",
      "1 while the schema is the one that this version works with.",
      Number(!isFault("schema") && !isFault("storage")),
    ),
    one(
      "tick_last_seconds",
      "When cron was last, in seconds since 1970.",
      heartbeat && Date.parse(heartbeat.at) / 1000,
    ),
    one("tick_seconds", "How long the last tick took.", heartbeat && heartbeat.ms / 1000),
    one("tick_failed_parts", "The parts of the last tick that failed.", heartbeat?.failed.length),
    of("queue_backlog", "Messages of a queue that wait.", "queue", {
      jobs: backlogs.jobs?.messages,
      events: backlogs.events?.messages,
    }),
    of("queue_oldest_seconds", "The age of a queue's oldest message.", "queue", {
      jobs: backlogs.jobs?.oldest_seconds,
      events: backlogs.events?.oldest_seconds,
    }),
    of("due_oldest_seconds", "For how long the oldest work of a kind has been due.", "kind", {
      billing: figures.due_billing_seconds,
      dunning: figures.due_dunning_seconds,
    }),
    one(
      "attempts_oldest_seconds",
      "The age of the oldest charge that waits for its store.",
      figures.attempts_oldest_seconds,
    ),
    one("attempts_unanswered", "Charges that their store has not answered.", figures.attempts_unanswered),
    one("attempts_review", "Charges that wait for a person.", figures.attempts_review),
    of("charges_hour", "Of the latest hundred charges, those of the last hour.", "outcome", {
      succeeded: figures.charges_succeeded_hour,
      failed: figures.charges_failed_hour,
    }),
    of("endpoints_failing", "Endpoints that accept nothing.", "kind", {
      webhook: figures.endpoints_failing,
      mail: figures.mails_failing,
    }),
    one(
      "mails_failing_seconds",
      "For how long an account's mails have failed.",
      figures.mails_failing_seconds,
    ),
    one("dead_letters_hour", "Messages that were given up in the last hour.", figures.dead_letters_hour),
    one("moves_oldest_seconds", "The age of the oldest move of an account.", figures.moves_oldest_seconds),
    one("database_bytes", "The size of the database, where it says so.", bytes),
    one("database_limit_bytes", "The most that such a database holds.", bytes && limit_bytes),
  ];
  return metrics.map(textOf).join("");
}

function one(name: string, help: string, value: number | undefined, labels: Labels = {}): Metric {
  return { name, help, values: [[labels, value]] };
}

function of(name: string, help: string, label: string, values: Record<string, number | undefined>): Metric {
  return { name, help, values: Object.entries(values).map(([key, value]) => [{ [label]: key }, value]) };
}

/** The text format of Prometheus (prometheus.io/docs/instrumenting/exposition_formats). */
function textOf({ name, help, values }: Metric): string {
  const lines = values.flatMap(([labels, value]) => {
    const named = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    const suffix = named.length === 0 ? "" : `{${named.join(",")}}`;
    return value === undefined ? [] : [`perennial_${name}${suffix} ${value}\n`];
  });
  return lines.length === 0
    ? ""
    : `# HELP perennial_${name} ${help}\n# TYPE perennial_${name} gauge\n${lines.join("")}`;
}
