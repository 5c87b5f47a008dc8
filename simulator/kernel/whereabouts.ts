import type { Log } from "../../src/base/lib/log.ts";
import type { Ctx } from "../../src/kit/context.ts";
import type { Database } from "./database.ts";
import type { Task } from "./task.ts";

/** Where an account is that does not stay in one database, and how tasks come to it. */
export type Whereabouts = {
  /** Whether a database is not the one at which the account is. */
  isElsewhere: (database: Database) => boolean;
  /** A request comes to where some isolate takes the account to be, a message to where it is as its batch begins. */
  enter: (task: Task, as: "request" | "message") => Promise<void>;
  /** A task has written elsewhere, or reads there. */
  checkWriter: (task: Task) => void;
  checkReader: (task: Task) => void;
  /** Cron looks for what is due, in both databases. */
  tick: (task: Task, ports: { send: Ctx["send"]; log: Log }) => Promise<void>;
};
