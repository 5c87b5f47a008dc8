import { DurableObject } from "cloudflare:workers";
import type {
  AccountStub,
  Forwarded,
  ForwardedCall,
  ForwardedMessage,
  Ran,
  Restored,
} from "../../base/accounts/objects.ts";
import type { ForeignAccount } from "../../base/accounts/tables.ts";
import { openDb } from "../../base/db/client.ts";
import { type Executed, execute } from "../../base/db/execute.ts";
import type { Statement } from "../../base/db/port.ts";
import { type Bindings, parseEnv } from "../../base/env.ts";
import type { LogEvent } from "../../base/lib/log-lines.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { log } from "../../kit/context.ts";
import { fromOutside } from "../../kit/http/in-process.ts";
import { run, serve } from "../app.ts";
import { followDirectory } from "./directory.ts";
import { hasNewest, hasSchema, migrate } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { countRows, hasAccount, isExpected, isLeft, openAccount } from "./own-account.ts";
import { readOnly } from "./read-only.ts";
import { restoreOnRestart } from "./restore.ts";
import { wakeup } from "./wakeup.ts";

/**
 * The Worker beside the data of one account: the same app, queue handlers and tick, on the object's own database.
 */
export class AccountObject extends DurableObject<Bindings> implements AccountStub {
  readonly #bindings: Bindings;
  readonly #wakeup: ReturnType<typeof wakeup>;
  #isMigrated = false;
  /** The account that was opened, and where it was then. If it is erased, those who then ask find no account. */
  #opened: string | undefined;

  constructor(ctx: DurableObjectState, bindings: Bindings) {
    super(ctx, bindings);
    const { storage } = ctx;
    this.#wakeup = wakeup({ alarms: storage, nowMs: () => Date.now(), log });
    this.#bindings = { ...bindings, STORAGE: { storage, afterWrite: () => this.#wakeup.soon() } };
    ctx.blockConcurrencyWhile(() => this.#wakeup.load());
  }

  /** Runs an operation for the Worker outside; undefined where the object cannot be opened. */
  async run(call: ForwardedCall): Promise<Ran | undefined> {
    if (!(await this.#open(call.forwarded.account))) return undefined;
    return run(call, this.#bindings, this.#executionContext());
  }

  /** Answers a request that the Worker outside has forwarded; undefined where the object cannot be opened. */
  async serve(request: Request, forwarded: Forwarded): Promise<Response | undefined> {
    if (!(await this.#open(forwarded.account))) return undefined;
    return serve(fromOutside(request, forwarded), this.#bindings, this.#executionContext());
  }

  async work(account: ForeignAccount, queue: string, messages: ForwardedMessage[]): Promise<string[]> {
    if (!(await this.#open(account))) return [];
    return this.#consume(queue, messages);
  }

  async execute(
    account: ForeignAccount,
    statements: Statement[],
    mode: "read" | "write",
  ): Promise<Executed | undefined> {
    if (!(await this.#open(account))) return undefined;
    return execute(openDb(parseEnv(this.#bindings)), statements, mode);
  }

  async query(account: ForeignAccount, statements: Statement[]): Promise<Executed | undefined> {
    if (!(await this.#open(account))) return undefined;
    return readOnly(this.ctx.storage, statements);
  }

  async erase(): Promise<Record<string, number> | undefined> {
    const { storage } = this.ctx;
    const env = parseEnv(this.#bindings);
    if (hasSchema(storage) && !(await isLeft(env))) return undefined;
    const rows = hasSchema(storage) ? await countRows(openDb(env)) : {};
    await this.#wakeup.stop();
    await storage.deleteAll();
    this.#isMigrated = false;
    this.#opened = undefined;
    return rows;
  }

  restore(at: Instant): Promise<Restored> {
    return restoreOnRestart(this.ctx.storage, at);
  }

  async restart(): Promise<void> {
    this.ctx.abort("It starts anew, restored to an earlier time");
  }

  /** The account's share of the cron tick. It never throws: the next alarm is set before anything is done. */
  override async alarm(): Promise<void> {
    const now = new Date();
    if (!hasSchema(this.ctx.storage)) return this.#wakeup.stop();
    this.#wakeup.rings();
    if (!(await this.#open())) return;
    try {
      await this.#look(now);
    } catch (error) {
      this.#alert("alarm_failed", error);
    }
  }

  /**
   * An account that the directory has forgotten is being erased: no message would be forwarded, so its jobs are done here. For a closed
   * one nothing is done.
   */
  async #look(now: Date): Promise<void> {
    const env = parseEnv(this.#bindings);
    const db = openDb(env);
    if (!(await hasAccount(db))) return this.#wakeup.stop();
    const entry = await followDirectory(env).catch((error) => {
      this.#alert("directory_not_read", error);
      return "open" as const;
    });
    if (entry === "closed") return;
    const isKnown = entry !== "forgotten";
    const kept = newCollectingQueue();
    const { tick } = await import("../jobs/tick.ts");
    const sent = await tick(isKnown ? this.#bindings : { ...this.#bindings, ...kept.queues }, now);
    await this.#wakeup.looked({ db, now, sent });
    if (!isKnown) await this.#consume("kept", kept.messages());
  }

  /** Works on messages; returns the ids of those that are done. */
  async #consume(queue: string, messages: ForwardedMessage[]): Promise<string[]> {
    const done: string[] = [];
    const handed = messages.map((message) => ({
      ...message,
      ack: () => void done.push(message.id),
      retry: () => {},
    }));
    const { consume } = await import("../jobs/consume.ts");
    await consume({ queue, messages: handed }, this.#bindings);
    return done;
  }

  /**
   * Brings the object's schema and its account's row up to date; false if it cannot, which is tried again by each call, until a
   * deployment mends it. A refusal is an answer: what is thrown would be logged by the platform, and by nobody named. A call that comes
   * late, to an object that has ended, does not begin it anew.
   */
  async #open(account?: ForeignAccount): Promise<boolean> {
    try {
      const isCurrent = this.#isMigrated || hasNewest(this.ctx.storage);
      const all = isCurrent ? [] : await readMigrations(this.#bindings);
      const isUnbegun = !isCurrent && account !== undefined && !hasSchema(this.ctx.storage);
      if (isUnbegun && !(await isExpected(parseEnv(this.#bindings), account))) {
        log("object_not_begun", { account_id: account.id });
        return false;
      }
      if (!this.#isMigrated) migrate({ storage: this.ctx.storage, now: new Date().toISOString(), all });
      this.#isMigrated = true;
      const opened = account && `${account.id} ${account.engine} ${account.moving}`;
      if (account && opened !== this.#opened) {
        await openAccount(parseEnv(this.#bindings), account);
        this.#opened = opened;
      }
      return true;
    } catch (error) {
      this.#alert("object_not_opened", error);
      return false;
    }
  }

  #alert(event: LogEvent, error: unknown): void {
    log(event, { alert: true, object: this.ctx.id.toString(), cause: String(error) });
  }

  #executionContext(): ExecutionContext {
    const { ctx } = this;
    return {
      waitUntil: (promise: Promise<unknown>) => ctx.waitUntil(promise),
      passThroughOnException: () => {},
      props: {},
    } as ExecutionContext;
  }
}

/** Queues that keep what is sent, for whoever works on it at once. */
function newCollectingQueue(): {
  queues: Pick<Bindings, "JOBS" | "EVENTS">;
  messages: () => ForwardedMessage[];
} {
  const bodies: unknown[] = [];
  const sendBatch = async (sent: Iterable<MessageSendRequest<unknown>>): Promise<void> => {
    for (const { body } of sent) bodies.push(body);
  };
  const queue = { sendBatch } as unknown as Queue<unknown>;
  return {
    queues: { JOBS: queue, EVENTS: queue },
    messages: () => bodies.map((body, nth) => ({ id: `kept-${nth}`, attempts: 1, body })),
  };
}
