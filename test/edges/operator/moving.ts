import { env } from "cloudflare:workers";
import { afterAll, beforeAll } from "vitest";
import { readEntry } from "../../../src/base/accounts/queries.ts";
import type { Account } from "../../../src/base/accounts/tables.ts";
import { d1Db } from "../../../src/base/db/client.ts";
import type { Db, Row } from "../../../src/base/db/port.ts";
import { type Engine, parseEnv } from "../../../src/base/env.ts";
import { continueMove } from "../../../src/edges/operator/move/continue-move.ts";
import { findTables } from "../../../src/edges/operator/move/copy.ts";
import { portsOf } from "../../../src/edges/operator/move/ports.ts";
import type { Ports, Progress } from "../../../src/edges/operator/move/state.ts";
import { execute, numbersOf } from "../../support/database.ts";
import { dbOfObject, inObject } from "../../support/objects.ts";

export function directory(): Db {
  return d1Db(env.DB);
}

export async function accountNow(id: string): Promise<Account> {
  return (await readEntry(directory(), { id }))!;
}

/** An operator who moves an account, with a clock that stands still but for the waiting. */
export function mover(account: Account, { startMs = Date.now() } = {}) {
  let nowMs = startMs;
  let cursor: Progress["cursor"];
  const ports = (): Ports => portsOf(parseEnv(env), account, new Date(nowMs));
  const step = async (to: Engine, over: Partial<Ports> = {}): Promise<Progress> => {
    const its = { ...ports(), ...over };
    const progress = await continueMove(its, { accountId: account.id, to, cursor, force: true });
    cursor = progress.cursor;
    nowMs = Date.parse(its.now) + progress.waitMs;
    return progress;
  };
  return {
    step,
    ports,
    now: () => new Date(nowMs),
    /** As when the command is called anew. */
    forget: () => {
      cursor = undefined;
    },
    /** Until nothing is left to be done, or a step has come. */
    async until(to: Engine, step_?: Progress["step"]): Promise<Progress[]> {
      const steps: Progress[] = [];
      for (let nth = 0; nth < 60; nth++) {
        const progress = await step(to);
        steps.push(progress);
        if (progress.step === (step_ ?? "moved")) return steps;
      }
      throw new Error(`does not end: ${JSON.stringify(steps.slice(-3))}`);
    },
  };
}

/** Closes an account for writes, as a move does: its operator is gone as soon as that is done. */
export async function closeByMove(operator: ReturnType<typeof mover>, to: Engine): Promise<void> {
  await operator.until(to, "copying");
  const { over } = killedAt(operator.ports(), { at: /BEFORE INSERT ON "/ });
  await operator.step(to, over).catch((error) => {
    if (!(error instanceof Killed)) throw error;
  });
}

/** All rows that an account has in a database, or has left there, of every table that is moved. */
export async function everyRow(db: Db, id: string): Promise<Record<string, Row[]>> {
  const tables = await findTables(db);
  const found = await db.batch(
    tables.map(({ name, columns, key }) => ({
      sql: `SELECT ${columns.map((column) => `"${column}"`).join(", ")} FROM "${name}" WHERE account_seq = COALESCE((SELECT seq FROM accounts WHERE id = ?), ?)
        ${key.length > 0 ? `ORDER BY ${key.join(", ")}` : ""}`,
      params: [id, numbersOf.get(id)?.[db.engine === "d1" ? "directory" : "own"] ?? null],
    })),
    "read",
  );
  return Object.fromEntries(tables.map(({ name }, index) => [name, found[index]?.rows ?? []]));
}

export function dbAt(engine: Engine, id: string): Db {
  return engine === "d1" ? directory() : dbOfObject(id);
}

/** The error that ends an operator's call; whatever the call was sent to do may have been done. */
export class Killed extends Error {}

/** Databases of a move, of which one batch's answer never comes: the nth that the test is for. */
export function killedAt(
  ports: Ports,
  { at, nth = 1, isDone = true }: { at: RegExp; nth?: number; isDone?: boolean },
): { over: Partial<Ports>; hasStruck: () => boolean } {
  let seen = 0;
  const strikes = (text: string) => at.test(text) && ++seen === nth;
  const mortal = (db: Db): Db => ({
    ...db,
    async batch(statements, mode) {
      const isLast =
        mode === "write" && strikes(`${db.engine}: ${statements.map(({ sql }) => sql).join("\n")}`);
      const results = isLast && !isDone ? [] : await db.batch(statements, mode);
      if (isLast) throw new Killed();
      return results;
    },
  });
  const eraseObject = async () => {
    const rows = await ports.eraseObject();
    if (strikes("erase")) throw new Killed();
    return rows;
  };
  return {
    over: { d1: mortal(ports.d1), object: mortal(ports.object), eraseObject },
    hasStruck: () => seen >= nth,
  };
}

/** Files share a database, and cron opens ten abandoned accounts a minute: it is to come to those of this file at once. */
export function withoutOthersMoves(): void {
  beforeAll(() => execute("UPDATE accounts SET moving = NULL"));
}

/** No alarm of an object rings beside the tests of this file, which call it when they want. Later files have theirs again. */
export function withoutAlarms(): void {
  let prototype: Pick<DurableObjectStorage, "setAlarm">;
  let setAlarm: DurableObjectStorage["setAlarm"];
  beforeAll(async () => {
    await inObject("alarms", ({ storage }) => {
      prototype = Object.getPrototypeOf(storage);
      ({ setAlarm } = prototype);
      prototype.setAlarm = async () => {};
    });
  });
  afterAll(() => {
    prototype.setAlarm = setAlarm;
  });
}
