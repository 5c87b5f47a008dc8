import type { World } from "./world.ts";

/** Something that a part of a schedule keeps of each account: asked for by the account's world, and begun when it is asked for first. */
export type PerAccount<T> = ((world: World) => T) & { set: (world: World, value: T) => void };

export function perAccount<T>(begin: (world: World) => T): PerAccount<T> {
  const all = new WeakMap<World, T>();
  const of = (world: World): T => {
    if (!all.has(world)) all.set(world, begin(world));
    return all.get(world) as T;
  };
  return Object.assign(of, { set: (world: World, value: T) => void all.set(world, value) });
}
