import { parseArgs } from "node:util";
import type { Db } from "../../src/base/db/port.ts";
import { DomainError } from "../../src/base/errors.ts";
import { options, UsageError, type Values } from "./options.ts";
import { textOf } from "./print.ts";

/**
 * Carries out the command that the arguments name. Its exit code: 1 where the command is refused or leaves something open, 2 where
 * it is called wrongly.
 */
export async function runAccount(args: string[], place: Place, output: Output): Promise<number> {
  try {
    return await carryOut(args, place, output);
  } catch (error) {
    output.say(lineOf(error as Error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** A refusal in one line, with all that it names. */
function lineOf(error: Error): string {
  const details = error instanceof DomainError ? (error.details ?? []) : [];
  return [error.message, ...details.map(({ message }) => message)].join("; ");
}

/** Whose accounts the command is about. */
export type Place = {
  /** How the command is called there. */
  program: string;
  /** WHERE, in words. */
  where: string;
  /** The options that WHERE may be. */
  takes: (keyof Values)[];
  open: (values: Values) => Promise<Db>;
  /** Why a command is not for this place, by its name. */
  refusals?: Record<string, string>;
};

function usageOf({ program, where }: Place): string {
  return `Usage: ${program} COMMAND [WHERE]

ACCOUNT: --shop S, or --account ID

  create          --shop NAME.myshopify.com [--name N] [--timezone Europe/Berlin] [--currency EUR] [--engine d1|object] [--test]
                  makes an account and its first key
  list            lists the accounts
  rename          ACCOUNT --to NEW.myshopify.com
                  changes its shop
  move            ACCOUNT --to object|d1 [--dry-run] [--force]
                  moves its records to the other engine; meanwhile it refuses writes
  export          ACCOUNT --to FILE, or --all --to DIR
                  writes its records into a new file
  import          --file FILE [--shop S] [--engine d1|object]
                  makes an account of what export has written
  delete          ACCOUNT --confirm S
                  deletes it and its records for good; called again, it goes on where it was killed
  restore         ACCOUNT --at 2026-11-20T12:00:00Z
                  takes an account's object back to that time; then reconcile
  after-restore   [ACCOUNT]
                  after a restore, before traffic: raises the numbers of events, sends everything to the stores again
  key create      ACCOUNT [--name N] [--scopes subscriptions:read,orders:read] [--expires-in 90d] [--requires-preview] [--max-amount 50.00]
                  makes a key and prints it once
  key list        ACCOUNT
  key revoke      --key ID
  staff invite    ACCOUNT --email E [--role OWNER|MANAGER|SUPPORT|WAREHOUSE|VIEWER] [--url https://HOST]
                  prints a link into the console; somebody new gets the role, by default OWNER
  connect-shopify  ACCOUNT --credentials FILE [--url https://HOST/webhooks/shopify]
                  connects its store; - reads the credentials from standard input; --url is where the store sends its webhooks
  register-webhooks  ACCOUNT --url https://HOST/webhooks/shopify
  sync-plans      ACCOUNT
                  takes over the selling plans of its Shopify store
  reseal-credentials
                  seals stores' credentials and endpoints' secrets with the first key of STORE_CREDENTIALS_KEY
  attempt list    ACCOUNT
                  lists the charges under review
  attempt settle  ACCOUNT --attempt ID|NUMBER  --charged STORE_ORDER_ID [--amount A] | --not-charged  [--dry-run]
                  says what became of one
  reconcile       ACCOUNT --since 2026-11-01
                  compares the store's charges with attempts and orders, both ways

Answers are JSON lines; lists are a table on a terminal.

WHERE: ${where}`;
}

/** Where the command writes: its answer, and beside it what it says and what is wrong. */
export type Output = { print: (text: string) => void; say: (text: string) => void; isTerminal: boolean };

async function carryOut(args: string[], place: Place, { print, say, isTerminal }: Output): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    say(usageOf(place));
    return 0;
  }
  // The subcommands are loaded once the options are known to be right.
  const { commands } = await import("./commands.ts");
  const name = positionals.join(" ");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`No such command: "${name}"; --help lists them`);
  const stray = Object.keys(values).find(
    (option) => ![...command.takes, ...place.takes].includes(option as keyof Values),
  );
  if (stray) throw new UsageError(`--${stray} does not go with ${name}`);
  const refusal = place.refusals?.[name];
  if (refusal !== undefined) throw new UsageError(refusal);
  const lines = await command.run(await place.open(values), values, { now: new Date().toISOString(), say });
  const text = textOf(lines, isTerminal && name.endsWith("list"));
  if (text !== "") print(text);
  return command.leavesOpen?.(lines) ? 1 : 0;
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}
