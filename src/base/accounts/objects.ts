import type { Executed } from "../db/execute.ts";
import type { Db, Statement } from "../db/port.ts";
import { countTrip, emptyUsage } from "../db/usage.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import type { Instant } from "../lib/time/dates.ts";
import type { ApiKey, ForeignAccount } from "./tables.ts";
import type { Token } from "./tokens.ts";

/** A request that is forwarded to its account's object, and what was proven and counted of it outside. */
export type Forwarded = {
  /** The account as the directory has it. */
  account: ForeignAccount;
  /** The key and the token that were sent. Absent where the object itself proves who calls. */
  proof?: { key: ApiKey | undefined; claims: Token | undefined };
  /** Whether rate limits have counted the request. */
  isCounted: boolean;
};

/** A request whose caller is proven, counted and received: the operation that its account's object is to run for it. */
export type ForwardedCall = {
  operation: { method: string; path: string };
  /** The path's parameters, decoded. */
  params: Record<string, string>;
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    /** Absent for an operation without a body. */
    body: Uint8Array<ArrayBuffer> | undefined;
  };
  forwarded: Forwarded;
};

/** The response of an operation that an object has run, whose body is text. */
export type Ran = { status: number; headers: Record<string, string>; text: string };

/** A message of a queue, as its account's object is handed it. */
export type ForwardedMessage = { id: string; attempts: number; body: unknown };

/** The bookmarks that an object's storage was restored to, and had before. */
export type Restored = { bookmark: string; undo: string };

/** The calls that the Worker may make to an account's object (engine/account-object.ts). */
export type AccountStub = {
  /** Runs an operation; undefined where the object cannot be opened, which it has logged. */
  run(call: ForwardedCall): Promise<Ran | undefined>;
  /** Answers a request whose caller nobody has proven; undefined where the object cannot be opened. */
  serve(request: Request, forwarded: Forwarded): Promise<Response | undefined>;
  /** Works on messages of a queue, and returns the ids of those that are done. The others are to be delivered again. */
  work(account: ForeignAccount, queue: string, messages: ForwardedMessage[]): Promise<string[]>;
  /** Runs statements of an operator's that only read; others are refused. Undefined where the object cannot be opened. */
  query(account: ForeignAccount, statements: Statement[]): Promise<Executed | undefined>;
  /** Runs a batch; undefined where the object cannot be opened. */
  execute(
    account: ForeignAccount,
    statements: Statement[],
    mode: "read" | "write",
  ): Promise<Executed | undefined>;
  /**
   * Ends the object, with everything in it and its alarm. Returns how many rows of the account it had, by table; undefined where it does
   * not, as the account is there.
   */
  erase(): Promise<Record<string, number> | undefined>;
  /** Has the object be as it was at an instant, from its next start on. */
  restore(at: Instant): Promise<Restored>;
  /** Ends the object's session, and this call with it. The next call starts it anew. */
  restart(): Promise<void>;
};

/** The object of an account, wherever it runs. */
export function objectOf({ ACCOUNTS }: Env, { id }: Pick<ForeignAccount, "id">): AccountStub {
  if (!ACCOUNTS) throw new Error("ACCOUNTS is not bound: this deployment has no objects");
  return ACCOUNTS.getByName(id) as unknown as AccountStub;
}

/** The storage port on an account's object, from outside of it. */
export function openObject(env: Env, account: ForeignAccount): Db {
  const usage = emptyUsage();
  return {
    engine: "object",
    usage,
    async batch(statements, mode) {
      countTrip(usage, statements);
      const executed = await objectOf(env, account).execute(account, statements, mode);
      if (!executed) throw new DomainError("UNAVAILABLE", "The account's object is not reachable, try again");
      if ("failure" in executed) throw new Error(executed.failure);
      return executed.results;
    },
  };
}
