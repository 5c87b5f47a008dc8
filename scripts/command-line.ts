import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

type Options = ParseArgsOptionsConfig;
type Command<O extends Options, P extends boolean> = {
  /** The text that --help prints. */
  usage: string;
  options: O;
  /** Whether there may be arguments besides options. */
  positionals?: P;
};
type Parsed<O extends Options, P extends boolean> = ReturnType<
  typeof parseArgs<{ options: O & typeof help; allowPositionals: P; strict: true }>
>;

/**
 * The options and arguments of a command. They are read before a command does anything else: --help prints the usage and ends it,
 * and a wrong option is named and ends it, so that neither acts.
 */
export function commandLine<const O extends Options, const P extends boolean = false>(
  { usage, options, positionals }: Command<O, P>,
  args: string[] = process.argv.slice(2),
): Parsed<O, P> {
  const parsed = parse({ usage, options, ...(positionals === undefined ? {} : { positionals }) }, args);
  const { values } = parsed as { values: { help?: boolean } };
  if (!values.help) return parsed;
  console.log(usage);
  process.exit(0);
}

/** Ends the command: it was called wrongly. */
export function refuse(reason: string): never {
  console.error(`${reason}\n--help says how it is called`);
  process.exit(2);
}

/** The whole number that an option holds. */
export function wholeNumber(
  option: string,
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  return refuse(
    `--${option} must be a whole number${max < Number.MAX_SAFE_INTEGER ? ` from ${min} to ${max}` : ""}`,
  );
}

const help = { help: { type: "boolean", short: "h" } } as const;

function parse<O extends Options, P extends boolean>(
  { options, positionals }: Command<O, P>,
  args: string[],
): Parsed<O, P> {
  try {
    return parseArgs({
      args,
      options: { ...options, ...help },
      allowPositionals: positionals ?? false,
      strict: true,
    }) as Parsed<O, P>;
  } catch (error) {
    return refuse((error as Error).message.split(". ")[0] ?? "The options are wrong");
  }
}
