import { commandLine, wholeNumber } from "../command-line.ts";

/** The options of `serve`. A wrong one ends the command, and --help prints its usage and ends it. */
export function serveOptions(args: string[]): { data: string; host: string; port: number; demo: boolean } {
  const { values } = commandLine({ usage, options }, args);
  const { data, host, demo } = values;
  return { data, host, demo, port: wholeNumber("port", values.port, { min: 1, max: 65_535 }) };
}

const usage = `Usage: node perennial.mjs serve [--data ./data] [--port 8787] [--host 127.0.0.1] [--demo]

Serves the API, the portal and everything else from one folder, which is made where it is not there.

  --data  the folder of the database, the queue and the keys
  --port  where to listen; the environment's PORT, or 8787, by default
  --host  the address to listen on; behind a proxy on this machine the default is right
  --demo  with the demo store, whose key is public: not together with PUBLIC_URL`;

const options = {
  data: { type: "string", default: "./data" },
  port: { type: "string", default: process.env.PORT || "8787" },
  host: { type: "string", default: "127.0.0.1" },
  demo: { type: "boolean", default: false },
} as const;
