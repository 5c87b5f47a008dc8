import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Keeps where the data are served, for the commands that ask the process which serves them. */
export function noteAddress(data: string, { host, port }: { host: string; port: number }): void {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = host.includes(":") ? `[${host}]` : host;
  writeFileSync(fileIn(data), `http://${isEverywhere ? "127.0.0.1" : name}:${port}`);
}

/** The address at which the data were last served; undefined after an orderly end. */
export function addressOf(data: string): string | undefined {
  return existsSync(fileIn(data)) ? readFileSync(fileIn(data), "utf8") : undefined;
}

export function forgetAddress(data: string): void {
  rmSync(fileIn(data), { force: true });
}

function fileIn(data: string): string {
  return `${data}/address`;
}
