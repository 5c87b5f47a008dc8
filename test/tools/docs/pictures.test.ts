/** The pictures of the README and of the guides are there and small, and the drawing is what `npm run docs` makes. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { chargeDrawing } from "../../../scripts/docs/charge-drawing.ts";

const folder = "docs/pictures/";

test("each picture of the README is there in light and in dark, those of guides in light, and each has at most 150 KB", () => {
  const pictures = readdirSync(folder).filter((name) => name.endsWith(".png"));
  expect(pictures.toSorted()).toEqual([
    ...["console-dark.png", "console-light.png"],
    ...["console-orders-light.png", "console-subscription-light.png"],
    ...["portal-dark.png", "portal-light.png"],
  ]);
  for (const name of pictures) expect(statSync(folder + name).size, name).toBeLessThanOrEqual(150 * 1024);
});

test("the drawing of a charge is what is made of its steps", () => {
  expect(readFileSync(`${folder}charge.svg`, "utf8")).toBe(chargeDrawing());
});
