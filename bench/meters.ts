import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Counts what a process spends while some work is done. */
export type Meter = {
  unit: string;
  measure: (pid: number, work: () => Promise<void>) => Promise<number>;
};

/** Instructions where the machine lets them be counted, which repeat to a few percent; else CPU time, which does not. */
export function chooseMeter(): Meter {
  const probe = spawnSync("perf", ["stat", "-x", ",", "-e", event, "true"], { encoding: "utf8" });
  return probe.status === 0 && instructionsIn(probe.stderr) !== undefined ? instructions : cpuTime;
}

const event = "instructions:u";

/** The count in what `perf stat -x ,` prints, undefined where the processor does not say. */
export function instructionsIn(printed: string): number | undefined {
  const line = printed.split("\n").find((each) => each.includes(event));
  const count = Number(line?.split(",")[0]);
  return line === undefined || Number.isNaN(count) ? undefined : count;
}

const instructions: Meter = {
  unit: "thousand instructions",
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

const cpuTime: Meter = {
  unit: "ms of CPU",
  measure: async (pid, work) => {
    const before = cpuMs(pid);
    await work();
    return cpuMs(pid) - before;
  },
};

/** What all threads of a process have used so far, to the nanosecond. NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const used = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
    return used.reduce((sum, line) => sum + Number(line.split(" ")[0]), 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}
