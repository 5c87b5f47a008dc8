import { readFileSync } from "node:fs";

/** The Worker's heap in megabytes, and the memory of its runtime's process where there is a /proc. */
export type Sample = { seconds: number; megabytes: number; resident?: number };
/** The least heap of one part of the time, and the most that the runtime's process held in it. */
export type MemoryPart = { minutes: number; heap: number; resident: number | undefined };
/** The least that was held, so what no collection frees, in two parts of the time. */
export type Trend = { before: number; after: number; allowed: number };

/** The memory that a process holds; undefined where there is no /proc. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Asks an isolate's inspector how much its heap holds, garbage that was not collected yet included. */
export async function openHeap(
  inspector: string,
): Promise<{ megabytes: () => Promise<number>; close: () => void }> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () =>
      reject(new Error(`The inspector at ${inspector} does not answer`)),
    );
  });
  let sent = 0;
  return {
    megabytes: () =>
      new Promise((resolve) => {
        const id = ++sent;
        const listen = ({ data }: MessageEvent) => {
          const { id: of, result } = JSON.parse(String(data)) as {
            id?: number;
            result?: { usedSize: number };
          };
          if (of !== id) return;
          socket.removeEventListener("message", listen);
          resolve((result?.usedSize ?? Number.NaN) / 1_000_000);
        };
        socket.addEventListener("message", listen);
        socket.send(JSON.stringify({ id, method: "Runtime.getHeapUsage" }));
      }),
    close: () => socket.close(),
  };
}

/**
 * Whether a heap keeps more and more: the least that it held in the last third of the time, against the least in the third before. The
 * first third warms up. Undefined if there was too little time to tell.
 */
export function trendOf(samples: Sample[]): Trend | undefined {
  if (samples.length < fewestSamples) return undefined;
  const third = Math.floor(samples.length / 3);
  const least = (part: Sample[]): number => Math.min(...part.map(({ megabytes }) => megabytes));
  const before = least(samples.slice(third, 2 * third));
  return { before, after: least(samples.slice(2 * third)), allowed: before * 1.25 + slackMegabytes };
}

/** The samples in parts of the same length, each named by the minute at which it ends. */
export function memoryParts(samples: Sample[], count = 10): MemoryPart[] {
  const end = samples.at(-1)?.seconds ?? 0;
  return Array.from({ length: count }, (_, nth): MemoryPart => {
    const part = samples.filter(
      ({ seconds }) => Math.min(count - 1, Math.floor((seconds / end) * count)) === nth,
    );
    const resident = part.flatMap((sample) => sample.resident ?? []);
    return {
      minutes: (end * (nth + 1)) / count / 60,
      heap: Math.min(...part.map(({ megabytes }) => megabytes)),
      resident: resident.length > 0 ? Math.max(...resident) : undefined,
    };
  });
}

/** The memory that may be kept besides: code that the runtime compiles late, and collections that have not been. */
const slackMegabytes = 24;
const fewestSamples = 60;
