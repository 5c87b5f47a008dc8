import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { root } from "../paths.ts";

/** The element as pages load it, with the name and the hash that its content gives it. */
export async function buildElement(): Promise<{ name: string; content: string; integrity: string }> {
  const source = readFileSync(`${root}clients/next-delivery/next-delivery.js`, "utf8");
  const { code } = await transform(source, {
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
  });
  return { name: elementName(code), content: code, integrity: integrityOf(code) };
}

/** A file's name has the start of its hash, so a page that names both never gets another file by that name. */
export function elementName(content: string): string {
  return `next-delivery-${createHash("sha384").update(content).digest("hex").slice(0, 8)}.js`;
}

/** The hash by which a browser checks a script, as Subresource Integrity writes it. */
export function integrityOf(content: string): string {
  return `sha384-${createHash("sha384").update(content).digest("base64")}`;
}
