import { and, eq, sql } from "drizzle-orm";
import { requireOpenAccount } from "../../../base/accounts/closed.ts";
import { type Moving, movingOf } from "../../../base/accounts/moving.ts";
import { forgetAccount, readAccount, readEntry } from "../../../base/accounts/queries.ts";
import { type Account, accounts } from "../../../base/accounts/tables.ts";
import { commit } from "../../../base/db/commit.ts";
import { guard, isGuard } from "../../../base/db/guard.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import type { Engine } from "../../../base/env.ts";
import { DomainError, notFound } from "../../../base/errors.ts";
import { newId } from "../../../base/lib/ids.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { secondMs } from "../../../base/lib/time/durations.ts";
import { guardUnmoved, newOvertakenError, refuseIfOvertaken, updateAsRead } from "../as-read.ts";
import { filledBy, guardBeingFilled, isBeingFilled } from "./being-filled.ts";
import { copySome, findMovedTables, findTables, fromStart } from "./copy.ts";
import { estimateCopy, requireTime } from "./estimate.ts";
import { type Fence, findFenceDrops, guardFence, historyFenceStatement, raiseFence } from "./fence.ts";
import { finishLeaving } from "./finish-leaving.ts";
import { takeOverHistory } from "./history.ts";
import { hasOpenLease } from "./leases.ts";
import { drainingMs, noticeMs, otherEngine, type Ports, type Progress, planMove, waitMs } from "./state.ts";

type Move = {
  accountId: string;
  to: Engine;
  cursor?: Progress["cursor"] | undefined;
  /** Whether the account is moved though something of it falls due before the copy ends. */
  force?: boolean | undefined;
  /** Whether nothing is begun, but the size of the copy is told. */
  dryRun?: boolean | undefined;
};

/**
 * Takes the next step of an account's way to an engine. Where it stands is in the directory, so that whoever calls next goes on from there,
 * whatever became of the last call. A call that is lost has changed nothing that the next would not do again.
 */
export async function continueMove(
  ports: Ports,
  { accountId, to, cursor, force = false, dryRun = false }: Move,
): Promise<Progress> {
  const account = await readEntry(ports.d1, { id: accountId });
  if (!account) throw notFound("Account");
  requireOpenAccount(account);
  const plan = planMove(account, to);
  if (dryRun && plan !== "announce")
    throw new DomainError("INVALID_STATE", "The account is there, or on its way already");
  switch (plan) {
    case "nothing":
      return { step: "moved", isDone: true, waitMs: 0, rows: 0 };
    case "announce":
      return announce(ports, account, { to, force, dryRun });
    case "drain":
      return drain(ports, account);
    case "copy":
      return copy(ports, account, cursor);
    case "give_up":
      await giveUp(ports, account);
      return progressAt("leaving");
    case "leave":
      return { ...(await finishLeaving(ports, account)), isDone: account.engine === to };
  }
}

/** The account stays where it is, and is opened there; its copy is deleted, which nobody was ever served from. */
export async function giveUp(ports: Ports, account: Account): Promise<void> {
  await markStep(ports, account, { step: "leaving", to: account.engine, since: longAgo });
}

/** Trips of one call. An invocation may run a thousand statements, and a page has up to six. */
const tripsMax = 160;
/** Passes after which rows that are not taken are no matter of another pass. */
const passesMax = 10;
/** While the account waits for what is under way, it is looked at so often. */
const lookMs = 5 * secondMs;

/** An instant so long ago that the wait before a deletion is over. */
const longAgo = "2000-01-01T00:00:00.000Z";

function progressAt(step: Moving["step"]): Progress {
  return { step, isDone: false, waitMs: 0, rows: 0 };
}

/** Begins a move for which there is time. */
async function announce(
  ports: Ports,
  account: Account,
  { to, force, dryRun }: { to: Engine; force: boolean; dryRun: boolean },
): Promise<Progress> {
  const { from } = endsOf(ports, account);
  const estimate = await estimateCopy(from, account.id, await findTables(from));
  if (!force) await requireTime(from, account.id, { now: ports.now, estimate });
  if (dryRun) return { ...progressAt("draining"), isDone: true, estimate };
  const { seconds } = estimate;
  await markStep(ports, account, { step: "draining", to, since: ports.now, seconds });
  return { ...progressAt("draining"), estimate };
}

/**
 * Waits until every isolate has seen that the account is on its way, and until what was begun has ended. No job of it is begun meanwhile
 * (runtime/jobs/consume.ts).
 */
async function drain(ports: Ports, account: Account): Promise<Progress> {
  const moving = movingOf(account)!;
  const { from, to } = endsOf(ports, account);
  const tables = await findMovedTables(from, to);
  if (account.engine === "object") await noteInObject(ports, account);
  const notice = waitMs(moving.since, ports.now, noticeMs);
  const look = { accountId: account.id, tables, now: ports.now };
  const isLeased = notice === 0 && (await hasOpenLease(from, look));
  const left = isLeased ? waitMs(moving.since, ports.now, drainingMs) : notice;
  if (left > 0) return { ...progressAt("draining"), waitMs: Math.min(left, lookMs) };
  await markStep(ports, account, { ...moving, step: "copying", since: ports.now });
  return progressAt("copying");
}

/** An object knows by its own row that it is about to be copied, so that a fence which comes late finds out that it is not any more. */
async function noteInObject(ports: Ports, account: Account): Promise<void> {
  const own = await readAccount(ports.object, account.id);
  const latest = await readEntry(ports.d1, { id: account.id });
  if (!own || latest?.moving !== account.moving) throw newOvertakenError();
  await refuseIfOvertaken(commit({ db: ports.object }, [guardUnmoved(own), updateOwnMoving(account)]));
}

/**
 * Copies page after page of what nobody can write to, until a pass over all tables finds both equal. Then the account is at its new engine. One
 * call copies at a time: triggers of what another wrote meanwhile could change what was found to be equal before.
 */
async function copy(ports: Ports, known: Account, cursor: Progress["cursor"]): Promise<Progress> {
  const { from, to } = endsOf(ports, known);
  const tables = await findMovedTables(from, to);
  const fence = { accountId: known.id, tables: tables.map(({ name }) => name) };
  const account = await takeTurn(ports, known);
  const isNext = cursor?.pass === known.moving;
  if (!isNext) await closeForWrites(ports, account, fence);
  const pass = account.moving!;
  const at = await copySome({ from, to, account, tables }, isNext ? cursor : fromStart, tripsMax);
  const isPassed = at.table === tables.length;
  if (!isPassed || at.changed > 0) {
    const next = isPassed ? { ...fromStart, passes: at.passes + 1 } : at;
    if (next.passes > passesMax)
      throw new DomainError("INVALID_STATE", "Some rows are not taken: give the move up, and look at them");
    return { ...progressAt("copying"), rows: at.rows, cursor: { ...next, pass } };
  }
  if (!(await switchEngine(ports, account, fence))) return progressAt("copying");
  return { ...progressAt("leaving"), rows: at.rows };
}

/** The account as this call alone copies it: whatever another still writes to the copy is refused. Throws VERSION_CONFLICT. */
async function takeTurn(ports: Ports, account: Account): Promise<Account> {
  const moving: Moving = { ...movingOf(account)!, since: ports.now, turn: newId() };
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
async function closeForWrites(ports: Ports, account: Account, tables: Fence): Promise<void> {
  const { since, seconds = 0 } = movingOf(account)!;
  const fence = { ...tables, until: later(since, seconds * secondMs) };
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
