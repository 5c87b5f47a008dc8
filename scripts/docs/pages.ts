import { withAssumptions } from "./assumptions.ts";
import { withCosts } from "./costs.ts";
import { withEvents } from "./events.ts";
import { withLaw } from "./law.ts";
import { withAlerts, withLogLines } from "./log-lines.ts";
import { withMails } from "./mails.ts";
import { withProofs } from "./proofs.ts";
import { withRows } from "./rows.ts";
import { withSettings } from "./settings.ts";

/** The pages of docs/ with parts that are made, and what makes them. */
export const pages: Record<string, (text: string) => string | Promise<string>> = {
  "sell/law.md": withLaw,
  "sell/mail-kinds.md": withMails,
  "build/events.md": withEvents,
  "run/settings.md": withSettings,
  "run/choose.md": withCosts,
  "run/alerts.md": withAlerts,
  "run/log.md": withLogLines,
  "change/costs.md": withRows,
  "change/proofs.md": withProofs,
  "change/assumptions.md": withAssumptions,
};
