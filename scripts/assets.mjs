// Copies Swagger UI with its licences out of its package, so that the docs page needs no other host.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const from = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const to = new URL("../public/assets/swagger-ui-dist/", import.meta.url);
mkdirSync(to, { recursive: true });
const scripts = ["swagger-ui.css", "swagger-ui-bundle.js"];
const licences = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];
for (const file of [...scripts, ...licences]) {
  const content = readFileSync(`${from}/${file}`);
  const target = new URL(file, to);
  // Writing what is there already would make a running server reload.
  if (!existsSync(target) || !readFileSync(target).equals(content)) writeFileSync(target, content);
}
