/** The list of time zones has each present name once, and a former name is read too. */
import { describe, expect, test } from "vitest";
import { isTimezone, timezones } from "./timezones.ts";

describe("time zones", () => {
  test("the list has the zones by their present names, each once, and each is one", () => {
    const all = timezones();
    for (const name of ["UTC", "Europe/Berlin", "Europe/Kyiv", "Asia/Kolkata", "America/New_York"])
      expect(all).toContain(name);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(all.toSorted());
    expect(all.filter((name) => !isTimezone(name))).toEqual([]);
  });

  test.each(["US/Eastern", "europe/berlin", "Etc/GMT+1", "Etc/GMT-14"])("%s is read too", (name) => {
    expect(isTimezone(name)).toBe(true);
  });

  test.each(["", "+01:00", "-0330", "Mars/Olympus", "constructor", "Europe/Berlin "])(
    "%j is no time zone",
    (name) => {
      expect(isTimezone(name)).toBe(false);
    },
  );
});
