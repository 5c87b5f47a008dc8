import { readFileSync } from "node:fs";

/** The name and the hash of the element's script in the tag that docs/build/own-portal.md shows. */
export function documentedElement(): { name: string; integrity: string } {
  const page = readFileSync("docs/build/own-portal.md", "utf8");
  const tag = /\/assets\/(next-delivery-\w+\.js)"\s+integrity="(\S+)"/.exec(page);
  if (!tag) throw new Error("docs/build/own-portal.md shows no tag that loads the element");
  const [, name = "", integrity = ""] = tag;
  return { name, integrity };
}
