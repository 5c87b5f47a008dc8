import { insertAccount } from "../../src/base/accounts/actions.ts";
import { holdsJobs } from "../../src/base/accounts/moving.ts";
import { lookupTtlMs, readAccount } from "../../src/base/accounts/queries.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db, Statement } from "../../src/base/db/port.ts";
import { raw } from "../../src/base/db/statement.ts";
import { DomainError } from "../../src/base/errors.ts";
import { beingFilled } from "../../src/edges/operator/move/being-filled.ts";
import { mayBeBegun } from "../../src/edges/operator/move/state.ts";
import { updateFilled } from "../../src/runtime/engine/directory.ts";
import { dbAt } from "../kernel/ports.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { homesOf } from "./homes.ts";

/** A request comes to some isolate, which may still know where the account was until a moment ago. */
export async function enterAsRequest(world: World, task: Task): Promise<void> {
  const { choices, clock } = world;
  const homes = homesOf(world)!;
  const nth = choices.below(2);
  const known = homes.isolates[nth];
  if (known && clock - known.at < lookupTtlMs) return enter(world, task, known.account);
  const account = await lookUp(world, task);
  // As base/accounts/queries.ts: an account that is on its way is looked up with each request.
  if (account.moving === null) homes.isolates[nth] = { account, at: clock };
  return enter(world, task, account);
}

/** A message is worked on where the account is as its batch begins, and later if it moves (as runtime/jobs/forward.ts). */
export async function enterAsMessage(world: World, task: Task): Promise<void> {
  const account = await lookUp(world, task);
  if (holdsJobs(account)) throw new DomainError("UNAVAILABLE", "The account is being moved");
  await enter(world, task, account);
}

async function lookUp(world: World, task: Task): Promise<Account> {
  const account = await readAccount(dbAt(world, task, homesOf(world)!.d1), world.account.id);
  if (!account) throw new DomainError("NOT_FOUND", "The account is gone");
  return account;
}

async function enter(world: World, task: Task, account: Account): Promise<void> {
  const { d1, object } = homesOf(world)!;
  task.home = account.engine === "d1" ? d1 : object;
  task.account = { ...world.account, engine: account.engine, moving: account.moving };
  if (account.engine === "object") await openObject(world, dbAt(world, task, object), account);
}

/** As runtime/engine/own-account.ts: an object is begun if the directory says so, and is an account's once callers are sent to it. */
export async function openObject(world: World, object: Db, given: Account): Promise<void> {
  const own = await readAccount(homesOf(world)!.object, given.id);
  const isServed = given.engine === "object";
  if (!own) {
    const entry = await readAccount(homesOf(world)!.d1, given.id);
    if (!entry || !mayBeBegun(entry)) throw new DomainError("UNAVAILABLE", "The object is not begun");
    const { seq, ...values } = given;
    await commit({ db: homesOf(world)!.object }, [
      ...numberNext(seq),
      insertAccount({ ...values, engine: "object", moving: isServed ? null : beingFilled }),
    ]);
  } else if (isServed && own.moving === beingFilled) await commit({ db: object }, [updateFilled(given)]);
}

/** The account has one number here in both databases, so that the checkers find it in either; tests beside this one give it two. */
function numberNext(seq: number): Statement[] {
  return [
    raw("DELETE FROM sqlite_sequence WHERE name = 'accounts'"),
    raw("INSERT INTO sqlite_sequence (name, seq) VALUES ('accounts', ?)", seq - 1),
  ];
}
