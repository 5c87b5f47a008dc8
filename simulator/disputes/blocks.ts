import { raw, rows } from "../../src/base/db/statement.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { World } from "../kernel/world.ts";

/** A time for which disputes kept a subscription from being billed, by its commits, and by the account's time. */
export type Block = { id: string; commits: [number, number]; from: number; until: number };

/** When disputes kept the account's subscriptions from being billed, where customers dispute payments. */
export const blocksOf = perAccount((): Blocks | undefined => undefined);

/** The blocks of the account's subscriptions, as they were written, and not as the code under test remembers them. */
export type Blocks = {
  /** Looks at what a commit has changed. */
  look: () => Promise<void>;
  /** The database has gone back to an earlier commit. */
  restore: () => Promise<void>;
  /** Whether a subscription was blocked after a commit. */
  isBlockedAt: (id: string, commit: number) => boolean;
  /** The blocks of a subscription; one that lasts has no end. */
  of: (id: string) => Block[];
};

type Row = { id: string; disputed_at: string | null; updated_at: string };

export function newBlocks(world: World): Blocks {
  let blocks: Block[] = [];

  const read = (): Promise<Row[]> =>
    rows(
      world.database,
      raw<Row>(
        "SELECT id, disputed_at, updated_at FROM subscriptions WHERE account_seq = ?",
        world.account.seq,
      ),
    );
  const look = async (): Promise<void> => {
    const { commits: commit } = world;
    for (const { id, disputed_at, updated_at } of await read()) {
      const open = blocks.find((block) => block.id === id && block.until === never);
      if (disputed_at !== null && !open)
        blocks.push({ id, commits: [commit, never], from: Date.parse(disputed_at), until: never });
      if (disputed_at === null && open)
        Object.assign(open, { commits: [open.commits[0], commit], until: Date.parse(updated_at) });
    }
  };
  return {
    look,
    async restore() {
      const { restoredTo = 0 } = world;
      blocks = blocks
        .filter(({ commits: [first] }) => first <= restoredTo)
        .map((block) =>
          block.commits[1] > restoredTo && block.until !== never
            ? { ...block, commits: [block.commits[0], never], until: never }
            : block,
        );
      await look();
    },
    isBlockedAt: (id, commit) =>
      blocks.some(({ id: of, commits: [first, last] }) => of === id && first <= commit && commit < last),
    of: (id) => blocks.filter((block) => block.id === id),
  };
}

const never = Number.POSITIVE_INFINITY;
