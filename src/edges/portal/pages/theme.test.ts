/** A shop's colour is readable on every page, light and dark, and keeps its hue. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast } from "../../../base/lib/contrast.ts";
import { themeOf } from "./theme.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);

/** The least contrast that WCAG 2.2 asks of text (1.4.3). */
const enough = 4.5;

test("contrast is WCAG's", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("whatever the shop's colour, it can be read on the page, and text can be read on it, light and dark", () => {
  fc.assert(
    fc.property(hex, (accent_color) => {
      const [light = "", , dark = "", onDark = ""] = themeOf({ accent_color }).match(/#[0-9a-f]{6}/g) ?? [];
      for (const surface of ["#ffffff", "#f2f2ef"])
        expect(contrast(light, surface)).toBeGreaterThanOrEqual(enough);
      expect(contrast(light, "#ffffff")).toBeGreaterThanOrEqual(enough);
      for (const surface of ["#16181b", "#26292e"])
        expect(contrast(dark, surface)).toBeGreaterThanOrEqual(enough);
      expect(contrast(dark, onDark)).toBeGreaterThanOrEqual(enough);
    }),
  );
});

test.each([
  ["a green", "#1f5f4a", "#35a27e"],
  ["a blue", "#0000ff", "#8585ff"],
  ["a violet", "#8a2be2", "#b375ec"],
  ["black", "#000000", "#919191"],
])("%s keeps its hue and its strength on dark pages", (_, accent_color, dark) => {
  expect(themeOf({ accent_color })).toContain(`dark){:root{--accent:${dark};`);
});

test("a colour that can be read is left as it is", () => {
  expect(themeOf({ accent_color: "#0a6c4b" })).toContain("--accent:#0a6c4b");
});

test.each([null, "red", "#1f5f4", "x#0a6c4b", "#0a6c4bx"])(
  "without a colour, or for what is none such as %s, there is a green",
  (accent_color) => {
    expect(themeOf({ accent_color })).toBe(themeOf({ accent_color: "#1f5f4a" }));
  },
);
