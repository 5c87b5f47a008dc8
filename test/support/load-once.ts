import { beforeAll } from "vitest";

/**
 * Whenever an object or the Worker is called through the runtime, the runner asks Vitest's process over a socket whether the Worker's
 * module has changed. It does not while tests run, so that one answer serves a file.
 */
export function loadWorkerOnce(): void {
  beforeAll(() => {
    const { moduleRunner } = (globalThis as unknown as WithRunner).__vitest_mocker__;
    const load = moduleRunner.import;
    let loaded: Promise<unknown> | undefined;
    moduleRunner.import = function (path) {
      if (!path.endsWith("/src/worker.ts")) return load.call(this, path);
      loaded ??= load.call(this, path);
      return loaded;
    };
    return () => {
      moduleRunner.import = load;
    };
  });
}

type WithRunner = {
  __vitest_mocker__: { moduleRunner: { import(this: unknown, path: string): Promise<unknown> } };
};
