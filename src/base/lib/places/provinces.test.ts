/** A province is completed from its code or its name, and is lacking where its country needs one that is known. */
import { expect, test } from "vitest";
import { completeProvince, lacksProvince, readProvinces } from "./provinces.ts";

const provinces = await readProvinces();

test.each([
  ["US", { province: "New York" }, { province: "New York", province_code: "NY" }],
  ["US", { province: "ny" }, { province: "New York", province_code: "NY" }],
  ["US", { province_code: "US-NY" }, { province: "New York", province_code: "NY" }],
  ["US", { province_code: "NY", province: "Texas" }, { province: "New York", province_code: "NY" }],
  ["CA", { province: "québec" }, { province: "québec", province_code: "QC" }],
  ["JP", { province: "東京都" }, { province: "東京都", province_code: "JP-13" }],
  ["JP", { province_code: "13" }, { province: "Tōkyō", province_code: "JP-13" }],
  ["IT", { province: "Novara" }, { province: "Novara", province_code: "NO" }],
])("of %s, %j is %j", (country_code, given, found) => {
  expect(completeProvince(provinces, { country_code, ...given })).toMatchObject(found);
  expect(lacksProvince(provinces, { country_code, ...given })).toBe(false);
});

test.each([
  ["US", { province: "Bavaria" }, true],
  ["US", {}, true],
  ["DE", { province: "Bavaria" }, false],
])("of %s, %j is not completed, and lacking: %s", (country_code, given, isLacking) => {
  expect(completeProvince(provinces, { country_code, ...given })).toBeUndefined();
  expect(lacksProvince(provinces, { country_code, ...given })).toBe(isLacking);
});
