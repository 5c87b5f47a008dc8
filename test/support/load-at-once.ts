import type { Vite } from "vitest/node";

/**
 * Loads with the Worker in tests what its first request loads. There import() asks the process outside for the module, on behalf
 * of the one object that it is called in, while others may wait for the same; in the deployed script, which has all modules, it
 * asks nobody.
 */
export function loadAtOnce(source: string): Vite.Plugin {
  return {
    name: "load-at-once",
    enforce: "pre",
    /** The texts that a run keeps for the next are made anew if this is changed, or what is made ready of packages. */
    configureVitest({ defineCacheKeyGenerator, project: { config } }) {
      defineCacheKeyGenerator(() => `${loadAtOnce}${JSON.stringify(config.deps.optimizer)}`);
    },
    transform(code, id) {
      if (!id.startsWith(source)) return null;
      const loaded: string[] = [];
      const eager = code.replaceAll(/\bimport\(("\.[^"]+")\)/g, (_, module: string) => {
        const name = `loaded${loaded.length}`;
        loaded.push(`import * as ${name} from ${module};`);
        return `Promise.resolve(${name})`;
      });
      return loaded.length === 0 ? null : { code: `${eager}\n${loaded.join("\n")}\n`, map: null };
    },
  };
}
