import { listEvents } from "../../src/domain/events/queries.ts";
import { runToEnd, spawn } from "../kernel/invocations.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, World } from "../kernel/world.ts";
import { readEvents } from "./endpoint-rows.ts";
import { asksFor } from "./endpoints.ts";

/** Somebody who copies the account's events by `after`, outside of the database: no restore rewinds what they have read. */
type StreamReader = {
  /** The types that they ask for; undefined for all. */
  types: readonly string[] | undefined;
  after: number;
  /** The events that they have read, and after how many restores. */
  seen: Map<string, number>;
  places: Map<number, string>;
  isReading: boolean;
  hasMore: boolean;
};

const streamReaderOf = perAccount((): StreamReader | undefined => undefined);

/** Gives the account a reader of its stream, in some schedules. */
export function addStreamReader(world: World): void {
  if (!world.choices.chance(400)) return;
  streamReaderOf.set(world, {
    types: world.choices.pick(wantedTypes),
    after: 0,
    seen: new Map(),
    places: new Map(),
    isReading: false,
    hasMore: true,
  });
}

/** Whether the account has a reader who can read on now. */
function canRead(world: World): boolean {
  const streamReader = streamReaderOf(world);
  return streamReader !== undefined && !streamReader.isReading;
}

/** The reader reads the next page, of any size, beside whatever is written meanwhile. */
async function readStream(world: World): Promise<void> {
  const reader = streamReaderOf(world);
  const { choices } = world;
  if (!reader) return;
  reader.isReading = true;
  world.count("pages read of the stream");
  const limit = choices.pick([100, 1, 3]);
  await spawn(
    world,
    "read the stream",
    { type: "api", name: "Copy" },
    async (ctx) => {
      const query = { after: reader.after, filters: reader.types && [...reader.types], limit };
      const { rows, hasMore } = await listEvents(ctx, query);
      for (const row of rows) noteEvent(world, reader, row);
      reader.hasMore = hasMore;
    },
    () => {
      reader.isReading = false;
    },
  );
}

/** Whoever goes on after the last number that they have seen has read each event that is in the history, and each once. */
async function checkStream(world: World): Promise<void> {
  const reader = streamReaderOf(world);
  if (!reader) return;
  reader.hasMore = true;
  while (reader.hasMore && world.violations.length === 0) {
    await readStream(world);
    await runToEnd(world);
  }
  if (world.violations.length > 0) return;
  const wanted = { types: reader.types ?? ["*"] };
  for (const { id, type, sequence } of await readEvents(world)) {
    const isRead = reader.seen.has(id);
    if (isRead !== asksFor(wanted, type))
      world.report(rule, `${type} at ${sequence} is ${isRead ? "read" : "missed"}`);
  }
}

/** Somebody reads the stream of events meanwhile. */
export const stream: Part = {
  acts: [
    {
      name: "read the stream",
      weight: ({ worlds }) => (worlds.some(canRead) ? 8 : 0),
      act: ({ choices, worlds }) => readStream(choices.pick(worlds.filter(canRead))),
    },
  ],
  checkAccount: checkStream,
};

const rule = "a reader misses nothing and sees nothing twice";

const wantedTypes: readonly (readonly string[] | undefined)[] = [
  undefined,
  undefined,
  ["billing.*", "order.placed"],
  ["subscription.*", "billing.failed", "dunning.started"],
];

type Event = { id: string; type: string; sequence: number };

function noteEvent({ report, restores }: World, reader: StreamReader, { id, type, sequence }: Event): void {
  if (sequence <= reader.after) report(rule, `${type} at ${sequence} comes after ${reader.after}`);
  if (reader.seen.get(id) === restores) report(rule, `${type} at ${sequence} comes twice`);
  const other = reader.places.get(sequence);
  if (other !== undefined && other !== id) report(rule, `${sequence} is given again, to ${type}`);
  reader.seen.set(id, restores);
  reader.places.set(sequence, id);
  reader.after = sequence;
}
