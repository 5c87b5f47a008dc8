import { stripVTControlCharacters, styleText } from "node:util";

type Entry = { event: string; [field: string]: unknown };
type Options = { isTerminal: boolean; now?: () => Date };

/**
 * Turns the lines of `wrangler dev` into those of `npm start`; undefined for one that says nothing here. The Worker's own lines
 * are JSON. On a terminal they become readable; elsewhere they get their time.
 */
export function lineOf({
  isTerminal,
  now = () => new Date(),
}: Options): (line: string) => string | undefined {
  const isNoise = noiseFilter();
  return (line) => {
    const plain = stripVTControlCharacters(line);
    const entry = entryOf(plain);
    if (!entry) {
      if (isNoise(plain)) return undefined;
      return isTerminal
        ? `${clock(now())}  ${line}`
        : JSON.stringify({ time: now().toISOString(), text: plain });
    }
    if (entry.route === "/health" && entry.status === 200) return undefined;
    if (!isTerminal) return JSON.stringify({ time: now().toISOString(), ...entry });
    return `${clock(now())}  ${entry.event === "request" ? requestLine(entry) : eventLine(entry)}`;
  };
}

function entryOf(line: string): Entry | undefined {
  if (!line.startsWith('{"event":')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function clock(at: Date): string {
  return at.toTimeString().slice(0, 8);
}

function requestLine({ method, route, status, ms, actor_type, errorCode, request_id }: Entry): string {
  const color = Number(status) < 400 ? "green" : Number(status) < 500 ? "yellow" : "red";
  return [
    styleText(color, String(status)),
    String(method).padEnd(6),
    String(route ?? "(unknown path)").padEnd(48),
    `${ms} ms`.padStart(7),
    styleText("dim", [actor_type, errorCode, request_id].filter(Boolean).join("  ")),
  ].join("  ");
}

/** A link to sign in with stands on a line of its own, so that it can be clicked or copied. */
function eventLine({ event, ...fields }: Entry): string {
  if (event.endsWith("_login_link"))
    return `A link to sign in with, once and within 15 minutes:\n${fields.url}`;
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${styleText("cyan", event)}  ${shown.join("  ")}`;
}

/**
 * The lines of wrangler's that are said here already, or are not so here: this command triggers the cron and keeps types as they
 * are.
 */
const noise = [
  /^\s*$/,
  /^Using secrets defined/,
  /^❓ Your types might be out of date/,
  /^⎔ (Starting|Connection)/,
  /^\[wrangler:info\]/,
];

/** Messages of several lines, from their first to their last. */
const blocks: [RegExp, RegExp][] = [
  [/^Your Worker has access to the following bindings/, /^\s*$/],
  [/Scheduled Workers are not automatically triggered/, /For more details/],
];

function noiseFilter(): (line: string) => boolean {
  let end: RegExp | undefined;
  return (line) => {
    if (end) {
      if (end.test(line)) end = undefined;
      return true;
    }
    end = blocks.find(([first]) => first.test(line))?.[1];
    return end !== undefined || noise.some((pattern) => pattern.test(line));
  };
}
