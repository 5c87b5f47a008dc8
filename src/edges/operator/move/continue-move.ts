import { and, eq, sql } from "drizzle-orm";
import { requireOpenAccount } from "../../../base/accounts/closed.ts";
import { forgetAccount, readAccount, readEntry } from "../../../base/accounts/queries.ts";
import { type Account, accounts } from "../../../base/accounts/tables.ts";
import { commit } from "../../../base/db/commit.ts";
import { guard, isGuard } from "../../../base/db/guard.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import type { Engine } from "../../../base/env.ts";
import { notFound } from "../../../base/errors.ts";
import { newId } from "../../../base/lib/ids.ts";
import { guardUnmoved, refuseIfOvertaken, undefinedIfChanged, updateAsRead } from "../as-read.ts";
import { filledBy, guardBeingFilled, isBeingFilled } from "./being-filled.ts";
import { type CopyPosition, copySome, findMovedTables, fromStart } from "./copy.ts";
import {
  dropFence,
  type Fence,
  findFenceDrops,
  guardFence,
  historyFenceStatement,
  raiseFence,
} from "./fence.ts";
import { finishLeaving } from "./finish-leaving.ts";
import { takeOverHistory } from "./history.ts";
import { type Moving, noticeMs, otherEngine, type Ports, type Progress, planMove, waitMs } from "./state.ts";

type Move = { accountId: string; to: Engine; cursor?: Progress["cursor"] | undefined };

/**
 * Takes the next step of an account's way to an engine. Where it stands is in the directory, so that whoever calls next goes on from there,
 * whatever became of the last call. A call that is lost has changed nothing that the next would not do again.
 */
export async function continueMove(ports: Ports, { accountId, to, cursor }: Move): Promise<Progress> {
  const account = await readEntry(ports.d1, { id: accountId });
  if (!account) throw notFound("Account");
  requireOpenAccount(account);
  switch (planMove(account, to)) {
    case "nothing":
      return { step: "moved", isDone: true, waitMs: 0, rows: 0 };
    case "announce":
      await markStep(ports, account, { step: "copying", to, since: ports.now });
      return progressAt("copying");
    case "copy":
      return copyPass(ports, account, cursor);
    case "compare":
      return comparePass(ports, account, cursor);
    case "give_up":
      await markStep(ports, account, { step: "leaving", to, since: longAgo });
      return progressAt("leaving");
    case "leave":
      return { ...(await finishLeaving(ports, account)), isDone: account.engine === to };
  }
}

/**
 * Takes a fence down that an earlier try has left, unless another call has put up one of its own meanwhile. A source that is an object
 * then knows that it is being copied.
 */
export async function releaseFence(ports: Ports, account: Account): Promise<void> {
  const { from } = endsOf(ports, account);
  const own = await readAccount(from, account.id);
  const latest = await readAccount(ports.d1, account.id);
  if (!own || latest?.moving !== account.moving) return;
  const drops = await findFenceDrops(from, account.id);
  const notes = from === ports.object && own.moving !== account.moving ? [updateOwnMoving(account)] : [];
  if (drops.length + notes.length === 0) return;
  await undefinedIfChanged(commit({ db: from }, [guardUnmoved(own), ...drops, ...notes]));
}

/** Lets a fenced account be written again; its copying goes on with the next call. */
export async function resumeCopying(ports: Ports, account: Account): Promise<void> {
  const { to } = JSON.parse(account.moving!) as Moving;
  await markStep(ports, account, { step: "copying", to, since: ports.now });
  const latest = await readAccount(ports.d1, account.id);
  if (latest) await releaseFence(ports, latest);
}

/** Ends a move that nobody goes on with: the account stays where it is, and its copy is deleted once no lost call can add to it. */
export async function abandonMove(ports: Ports, account: Account): Promise<void> {
  await markStep(ports, account, { step: "leaving", to: account.engine, since: ports.now });
}

/** Trips of one call. An invocation may run a thousand statements, and a page has up to six. */
const tripsMax = 240;

/**
 * An instant so long ago that the wait before a deletion is over: a copy that is given up was never served from the other engine.
 */
const longAgo = "2000-01-01T00:00:00.000Z";

function progressAt(step: Moving["step"]): Progress {
  return { step, isDone: false, waitMs: 0, rows: 0 };
}

/** Copies while the account is in use, then puts the fence up, once every isolate has seen that the account is on its way. */
async function copyPass(ports: Ports, account: Account, cursor: Progress["cursor"]): Promise<Progress> {
  const { from, to } = endsOf(ports, account);
  const pass = account.moving!;
  if (cursor?.pass !== pass) await beginCopying(ports, account);
  const tables = await findMovedTables(from, to);
  const at = await copySome({ from, to, account, tables }, startOf(cursor, pass), tripsMax);
  if (at.table < tables.length) return { ...progressAt("copying"), rows: at.rows, cursor: { ...at, pass } };
  const { since, to: engine } = JSON.parse(pass) as Moving;
  const left = waitMs(since, ports.now, noticeMs);
  if (left > 0) return { ...progressAt("copying"), waitMs: left, rows: at.rows, cursor: { ...at, pass } };
  await markStep(ports, account, { step: "fenced", to: engine, since: ports.now });
  return progressAt("fenced");
}

/** Makes the target ready: an object has its schema and a row of its account, from which nobody is served yet. */
async function beginCopying(ports: Ports, account: Account): Promise<void> {
  await releaseFence(ports, account);
  if (account.engine === "d1") return markCopy(ports, account);
  await dropFence(ports.d1, account.id);
  await takeOverHistory({ ...ports, accountId: account.id });
}

/**
 * Copies what has changed, until a pass over all tables finds both equal. Then the account is at its new engine. One call compares at a
 * time: triggers of what another wrote meanwhile could change what was found to be equal before.
 */
async function comparePass(ports: Ports, known: Account, cursor: Progress["cursor"]): Promise<Progress> {
  const { from, to } = endsOf(ports, known);
  const tables = await findMovedTables(from, to);
  const fence = { accountId: known.id, tables: tables.map(({ name }) => name) };
  const account = await takeTurn(ports, known);
  const isNext = cursor?.pass === known.moving;
  if (!isNext) await raiseFenceAndCompare(ports, account, fence);
  const pass = account.moving!;
  const at = await copySome({ from, to, account, tables }, isNext ? cursor : fromStart, tripsMax);
  if (at.table < tables.length || at.changed > 0) {
    const next = at.table < tables.length ? at : fromStart;
    return { ...progressAt("fenced"), rows: at.rows, cursor: { ...next, pass } };
  }
  if (!(await switchEngine(ports, account, fence))) return progressAt("fenced");
  return { ...progressAt("leaving"), rows: at.rows };
}

/** The account as this call alone compares it: whatever another still writes to the copy is refused. Throws VERSION_CONFLICT. */
async function takeTurn(ports: Ports, account: Account): Promise<Account> {
  const moving: Moving = { ...(JSON.parse(account.moving!) as Moving), turn: newId() };
  const taken = { ...account, moving: JSON.stringify(moving) };
  await refuseIfOvertaken(
    commit({ db: ports.d1 }, [guardUnmoved(account), updateAsRead(account, { moving: taken.moving })]),
  );
  forgetAccount(account.id);
  await markCopy(ports, taken);
  return taken;
}

/** Has the object that is being filled take rows from those alone who know where the account is on its way now. */
async function markCopy(ports: Ports, account: Account): Promise<void> {
  const own = account.engine === "d1" ? await readAccount(ports.object, account.id) : undefined;
  const moving = filledBy(account);
  if (!own || !isBeingFilled(own) || own.moving === moving) return;
  await refuseIfOvertaken(commit({ db: ports.object }, [guardUnmoved(own), updateAsRead(own, { moving })]));
}

/** A fence that came late would close the account, which has moved by then. An object knows by its own row that it is being copied. */
async function raiseFenceAndCompare(ports: Ports, account: Account, fence: Fence): Promise<void> {
  if (account.engine === "object") {
    await refuseIfOvertaken(
      commit({ db: ports.d1 }, [guardUnmoved(account), historyFenceStatement(account.id)]),
    );
    await takeOverHistory({ ...ports, accountId: account.id });
  }
  const isCopied = guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND moving IS NOT NULL)", [
    account.id,
  ]);
  await refuseIfOvertaken(
    account.engine === "d1"
      ? raiseFence(ports.d1, fence, [guardUnmoved(account)])
      : raiseFence(ports.object, fence, [isCopied, updateOwnMoving(account)]),
  );
}

/**
 * The one statement that moves the account, provided that the move is still the one that was compared; false if the fence does not stand
 * any more. To D1 it brings the account's settings along; an object is given them before, and serves nobody until the directory
 * sends callers to it.
 */
async function switchEngine(ports: Ports, account: Account, fence: Fence): Promise<boolean> {
  const engine = otherEngine(account.engine);
  const moving = JSON.stringify({ step: "leaving", to: engine, since: ports.now } satisfies Moving);
  const { from } = endsOf(ports, account);
  const own = await readAccount(from, account.id);
  if (!own) throw notFound("Account");
  const settings = settingsOf(own);
  try {
    if (engine === "object") {
      await commit({ db: ports.object }, [
        guardBeingFilled(ports.object, account),
        updateSettings(account, settings),
      ]);
      await commit({ db: ports.d1 }, [guardFence(fence), updateAsRead(account, { engine, moving })]);
    } else {
      await commit({ db: ports.object }, [guardFence(fence)]);
      const drops = await findFenceDrops(ports.d1, account.id);
      await commit({ db: ports.d1 }, [...drops, updateAsRead(account, { ...settings, engine, moving })]);
    }
  } catch (error) {
    if (isGuard(error)) return false;
    throw error;
  }
  forgetAccount(account.id);
  return true;
}

function updateSettings(account: Account, settings: Partial<Account>): Statement {
  const values = { ...settings, engine: "object" as const, moving: filledBy(account) };
  return statement(build.update(accounts).set(values).where(eq(accounts.id, account.id)));
}

function settingsOf({
  seq: _seq,
  id: _id,
  shop: _shop,
  engine: _engine,
  moving: _moving,
  ...settings
}: Account) {
  return settings;
}

/** The databases that the account's rows are copied from and to. */
function endsOf({ d1, object }: Ports, { engine }: Account): { from: Db; to: Db } {
  return engine === "d1" ? { from: d1, to: object } : { from: object, to: d1 };
}

function startOf(cursor: Progress["cursor"], pass: string): CopyPosition {
  return cursor?.pass === pass ? cursor : fromStart;
}

/** The account is on another step from now on, unless another call was quicker. */
async function markStep({ d1 }: Ports, account: Account, moving: Moving): Promise<void> {
  await commit({ db: d1 }, [updateAsRead(account, { moving: JSON.stringify(moving) })]);
  forgetAccount(account.id);
}

/** Sets the state of the move in the object's own row, unless it is that already. */
function updateOwnMoving({ id, moving }: Account): Statement {
  return statement(
    build
      .update(accounts)
      .set({ moving })
      .where(and(eq(accounts.id, id), sql`${accounts.moving} IS NOT ${moving}`)),
  );
}
