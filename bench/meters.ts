import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";

/** Counts what a process spends. */
export type Meter = {
  unit: string;
  /** Whether a count repeats, so that a few requests say enough. */
  repeats: boolean;
  /** The command that runs a program so that it can be counted. */
  command: (program: string) => string[];
  /** The cost of the work to the process, in the meter's unit. */
  measure: (pid: number, work: () => Promise<void>) => Promise<number>;
  /** The cost of the process since it started; without it, CPU time says so. */
  sinceStart?: (pid: number) => number;
};

export function isMeterName(name: string): name is MeterName {
  return meterNames.includes(name as MeterName);
}

/**
 * Instructions where the machine lets them be counted, which repeat to a few percent: by the processor, or by valgrind, fifty times as
 * slow. Else CPU time, which does not repeat.
 */
export function chooseMeter(wanted?: MeterName): Meter {
  if (wanted === "cpu") return cpuTime;
  if (wanted !== "valgrind" && perfCounts()) return byPerf;
  if (wanted !== "perf" && spawnSync("callgrind_control", ["--version"]).status === 0) return byValgrind();
  if (wanted) throw new Error(`${wanted} cannot count here`);
  return cpuTime;
}

/** The runtime that Miniflare starts from now on is counted by this meter. */
export function runCounted(meter: Meter): void {
  const require = createRequire(import.meta.url);
  const runtime = (require("workerd") as { default: string }).default;
  const [first, ...others] = meter.command(runtime);
  if (first === runtime) return;
  const folder = mkdtempSync(`${tmpdir()}/runtime-`);
  const script = `${folder}/workerd`;
  writeFileSync(script, `#!/bin/sh\nexec ${[first, ...others].join(" ")} "$@"\n`);
  chmodSync(script, 0o700);
  process.env.MINIFLARE_WORKERD_PATH = script;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** Does work whose runtime nobody counts, at its full speed. */
export async function uncounted<T>(work: () => Promise<T>): Promise<T> {
  const counted = process.env.MINIFLARE_WORKERD_PATH;
  delete process.env.MINIFLARE_WORKERD_PATH;
  try {
    return await work();
  } finally {
    if (counted !== undefined) process.env.MINIFLARE_WORKERD_PATH = counted;
  }
}

/** The count in what `perf stat -x ,` prints, undefined where the processor does not say. */
export function instructionsIn(printed: string): number | undefined {
  const line = printed.split("\n").find((each) => each.includes(event));
  const count = Number(line?.split(",")[0]);
  return line === undefined || Number.isNaN(count) ? undefined : count;
}

/** The count in a file of callgrind's. */
export function totalIn(dump: string): number | undefined {
  const [, total] = /^totals: (\d+)$/m.exec(dump) ?? [];
  return total === undefined ? undefined : Number(total);
}

/** The CPU time of all threads of a process so far, to the nanosecond. NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const used = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
    return used.reduce((sum, line) => sum + Number(line.split(" ")[0]), 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

const meterNames = ["perf", "valgrind", "cpu"] as const;
export type MeterName = (typeof meterNames)[number];

const event = "instructions:u";

function perfCounts(): boolean {
  const probe = spawnSync("perf", ["stat", "-x", ",", "-e", event, "true"], { encoding: "utf8" });
  return probe.status === 0 && instructionsIn(probe.stderr) !== undefined;
}

const unit = "thousand instructions";

const byPerf: Meter = {
  unit,
  repeats: true,
  command: (program) => [program],
  measure: async (pid, work) => {
    const perf = spawn("perf", ["stat", "-x", ",", "-e", event, "-p", String(pid)]);
    let printed = "";
    perf.stderr.on("data", (text) => {
      printed += text;
    });
    /* perf does not say when it has begun to count. */
    await new Promise((resolve) => setTimeout(resolve, 200));
    await work();
    perf.kill("SIGINT");
    await new Promise((resolve) => perf.on("close", resolve));
    return (instructionsIn(printed) ?? Number.NaN) / 1000;
  },
};

/** Callgrind writes what it has counted into a file of its own each time that it is asked, and begins again. */
function byValgrind(): Meter {
  const folder = mkdtempSync(`${tmpdir()}/callgrind-`);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const control = (what: string, pid: number) =>
    execFileSync("callgrind_control", [what, String(pid)], { stdio: "ignore" });
  const counted = (pid: number): number => {
    control("--dump", pid);
    const [newest = ""] = readdirSync(folder).filter((file) => file.startsWith(`${pid}.`));
    const count = totalIn(readFileSync(`${folder}/${newest}`, "utf8")) ?? Number.NaN;
    rmSync(`${folder}/${newest}`);
    return count / 1000;
  };
  return {
    unit,
    repeats: true,
    command: (program) => [
      "valgrind",
      "--tool=callgrind",
      "-q",
      `--callgrind-out-file=${folder}/%p`,
      program,
    ],
    measure: async (pid, work) => {
      control("--zero", pid);
      await work();
      return counted(pid);
    },
    sinceStart: counted,
  };
}

export const cpuTime: Required<Meter> = {
  unit: "ms of CPU",
  repeats: false,
  command: (program) => [program],
  measure: async (pid, work) => {
    const before = cpuMs(pid);
    await work();
    return cpuMs(pid) - before;
  },
  sinceStart: cpuMs,
};
