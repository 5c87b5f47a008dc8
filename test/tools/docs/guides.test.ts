/** Every guide becomes a page whose links lead to pages and headings that there are. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = "public/docs/";
const pages = globSync(`${root}**/*.html`);

test("each guide has its page, and none is left of one that there is no more", () => {
  const guides = globSync("docs/**/*.md").map((path) =>
    path.replace(/README\.md$/, "index.md").replace(/^docs\/(.*)\.md$/, `${root}$1.html`),
  );
  expect(guides.length).toBeGreaterThan(40);
  expect(pages.toSorted()).toEqual(guides.toSorted());
});

test.each(pages)("%s leads nowhere that there is not, and has no Markdown left", (page) => {
  const text = readFileSync(page, "utf8");
  for (const [, href = ""] of text.matchAll(/(?:href|src)="((?!https?:|mailto:|\/)[^"]*)"/g)) {
    const [file = "", anchor] = href.split("#");
    const target = file === "" ? page : join(dirname(page), file);
    expect(existsSync(target), href).toBe(true);
    if (anchor) expect(readFileSync(target, "utf8"), href).toContain(`id="${anchor}"`);
  }
  const prose = text.replaceAll(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/g, "");
  expect(prose).not.toMatch(/\]\(|\*\*|^#+ |```|^\|/m);
});
