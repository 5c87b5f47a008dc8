/** The events of the log stand once each, and each is written by some line of the code. */
import { expect, test, vi } from "vitest";
import { levelOf } from "../../src/base/lib/log.ts";
import { logLines } from "../../src/base/lib/log-lines.ts";
import { log } from "../../src/kit/context.ts";
import { everything } from "./sources.ts";

test("no event stands there twice, and each is written somewhere", () => {
  const events = logLines.flatMap(({ events: its }) => [...its]);
  expect(events.length).toBeGreaterThan(90);
  expect(new Set(events).size).toBe(events.length);
  const code = everything
    .filter(({ path }) => !path.endsWith("log-lines.ts"))
    .map(({ text }) => text)
    .join("\n");
  expect(events.filter((event) => !code.includes(`"${event}"`))).toEqual([]);
});

test.each([
  [{ alert: true, cause: "x" }, "error"],
  [{ alert: false, cause: "x" }, "warn"],
  [{ cause: "x" }, "warn"],
  [{ ms: 3 }, "info"],
])("a line with %j has the level %s", (fields, level) => {
  expect(levelOf(fields)).toBe(level);
});

test("each line is written with its level", () => {
  const written = vi.spyOn(console, "log").mockImplementation(() => {});
  log("tick_failed", { alert: true, part: "attempts" });
  log("tick", { ms: 3 });
  const lines = written.mock.calls.map(([line]) => JSON.parse(line));
  written.mockRestore();
  expect(lines).toEqual([
    { event: "tick_failed", level: "error", alert: true, part: "attempts" },
    { event: "tick", level: "info", ms: 3 },
  ]);
});
