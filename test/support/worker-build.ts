import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import type { unstable_getMiniflareWorkerOptions } from "wrangler";
import { root } from "../../scripts/paths.ts";

type Options = ReturnType<typeof unstable_getMiniflareWorkerOptions>["workerOptions"];

/** The whole Worker as one script, and its configuration as the local runtime takes it. */
export type WorkerBuild = { script: string; options: Options };

type Stored = WorkerBuild & { inputs: string[] };

const file = join(tmpdir(), "worker-build.json");
const lock = `${file}.lock`;

/** The first process of a run that needs the build makes it; the others wait for it and read it. */
export async function workerBuild(): Promise<WorkerBuild> {
  for (;;) {
    const stored = readStored();
    if (stored) return stored;
    if (takeLock()) break;
    await setTimeout(50);
  }
  try {
    const made = readStored() ?? (await makeBuild());
    writeFileSync(`${file}.new`, JSON.stringify(made));
    renameSync(`${file}.new`, file);
    return made;
  } finally {
    rmSync(lock);
  }
}

/** The build, unless a file has changed since: a run that watches files outlives a change. */
function readStored(): Stored | undefined {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return undefined;
  const stored = JSON.parse(readFileSync(file, "utf8")) as Stored;
  const isCurrent = stored.inputs.every((path) => existsSync(path) && statSync(path).mtimeMs < made);
  return isCurrent ? stored : undefined;
}

function takeLock(): boolean {
  try {
    writeFileSync(lock, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function makeBuild(): Promise<Stored> {
  const { options, main, alias, inputs } = await readConfig();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [main],
    alias,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    loader: { ".sql": "text" },
    define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' },
  });
  const sources = Object.keys(metafile.inputs).map((path) => join(root, path));
  return { script: outputFiles[0]!.text, options, inputs: [...sources, ...inputs] };
}

type Config = {
  alias: Record<string, string>;
  assets: { directory: string };
  queues: { consumers: object[] };
};

/**
 * The Worker's configuration, read from a folder that has no secrets of a developer beside it, where a message waits for no others: in
 * production it waits for a second, as would each test that waits for a job.
 */
async function readConfig() {
  const { experimental_readRawConfig, unstable_getMiniflareWorkerOptions: optionsOf } = await import(
    "wrangler"
  );
  const path = join(root, "wrangler.toml");
  const { rawConfig } = experimental_readRawConfig({ config: path });
  const { alias, assets, queues, ...rest } = rawConfig as unknown as Config;
  const consumers = queues.consumers.map((consumer) => ({ ...consumer, max_batch_timeout: 0 }));
  const config = {
    ...rest,
    assets: { ...assets, directory: join(root, assets.directory) },
    queues: { ...queues, consumers },
  };
  const folder = mkdtempSync(join(tmpdir(), "perennial-config-"));
  writeFileSync(join(folder, "wrangler.json"), JSON.stringify(config));
  const { workerOptions } = optionsOf(join(folder, "wrangler.json"));
  rmSync(folder, { recursive: true });
  const { rootPath: _, ...options } = workerOptions;
  return { options, main: String((rawConfig as { main?: string }).main), alias, inputs: [path] };
}
