/** How far long work has come, on standard error: a bar on a terminal, a line for every tenth elsewhere. */
export type Progress = { advance: (by?: number) => void; end: () => void };

export function progressOf(
  label: string,
  total: number,
  out: Pick<NodeJS.WriteStream, "write" | "isTTY"> = process.stderr,
): Progress {
  let [done, shown] = [0, 0];
  const bar = (share: number): string =>
    `${"█".repeat(Math.round(share * width)).padEnd(width, "░")} ${String(Math.floor(share * 100)).padStart(3)} %`;
  const show = (): void => {
    const share = Math.min(1, done / Math.max(1, total));
    const step = Math.floor(share * (out.isTTY ? 100 : 10));
    if (step <= shown) return;
    shown = step;
    out.write(out.isTTY ? `\r${label}  ${bar(share)}` : `${label}: ${done} of ${total}\n`);
  };
  return {
    advance: (by = 1) => {
      done += by;
      show();
    },
    end: () => {
      if (out.isTTY && shown > 0) out.write(`\r${" ".repeat(label.length + width + 8)}\r`);
    },
  };
}

const width = 30;
