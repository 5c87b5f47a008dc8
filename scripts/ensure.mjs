// Installs the packages that a command needs where they are missing or others, and makes what is not kept. With the argument `server` it
// installs what the server needs, else all of the project. scripts/run.mjs imports it first.
// Runs before anything is installed and on Node 20, so built-ins only; writes to stderr only.
import { installPackages } from "./install.mjs";

await installPackages({ all: process.argv[2] !== "server" }).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
if (!process.exitCode) await import("./prepare.mjs");
