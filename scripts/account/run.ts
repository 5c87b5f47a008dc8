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

  create      --shop NAME.myshopify.com [--name N] [--timezone Europe/Berlin] [--currency EUR] [--engine d1|object] [--test]
  list
  rename      --shop OLD.myshopify.com | --account ID  --to NEW.myshopify.com
  move        --shop S | --account ID  --to object|d1  [--dry-run] [--force]  all records to the other engine; writes are refused meanwhile
  export      --shop S | --account ID  --to FILE  all records as JSON lines, into a new file; or --all --to DIR
  import      --file FILE  [--shop S] [--engine d1|object]  what export wrote, as an account that does not exist
  delete      --shop S | --account ID  --confirm S  all records, for good; killed, it goes on when called again
  restore     --shop S | --account ID  --at 2026-11-20T12:00:00Z  an account's object as it was then; then reconcile
  after-restore  [--shop S | --account ID]      of the database, before traffic: numbers of events go up, stores are sent all again
  key create  --shop S | --account ID  [--name N] [--scopes subscriptions:read,orders:read] [--expires-in 90d]
              [--requires-preview] [--max-amount 50.00]
  key list    --shop S | --account ID
  key revoke  --key ID
  staff invite --shop S | --account ID  --email E [--role OWNER|MANAGER|SUPPORT|WAREHOUSE|VIEWER] [--url https://HOST]
                                                a link into the console; who is new is an OWNER, or of that role
  connect-shopify --shop S | --account ID  --credentials FILE, or - to read them from standard input
    --url https://HOST/webhooks/shopify    where the store sends its webhooks; kept when the command is repeated
  reseal-credentials                            and endpoints' secrets, with the first key of STORE_CREDENTIALS_KEY
  register-webhooks --shop S | --account ID  --url https://HOST/webhooks/shopify
  sync-plans      --shop S | --account ID       selling plans as the Shopify store has them
  attempt list    --shop S | --account ID       billing attempts under review
  attempt settle  --shop S | --account ID  --attempt ID  --charged STORE_ORDER_ID [--amount A] | --not-charged  [--dry-run]
  reconcile       --shop S | --account ID  --since 2026-11-01  the store's charges with attempts and orders, both ways

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
