// `npm run build:element`: makes what shops' pages load of clients/next-delivery, and prints the tag that loads it.
import { writeFileSync } from "node:fs";
import { buildElement } from "./build-element/build.ts";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run build:element

Makes public/assets/next-delivery-….js of clients/next-delivery, and prints the tag that loads it. Its name is made of its content. Files
of released versions stay, because pages of shops name them with their hash.`,
  options: {},
});

const { name, content, integrity } = await buildElement();
writeFileSync(`${root}public/assets/${name}`, content);
console.log(
  `<script type="module" src="https://perennial.example/assets/${name}" integrity="${integrity}" crossorigin="anonymous"></script>`,
);
