import { installTool } from "./install.mjs";

/** Installs the packages of a folder in tools/ where they are missing, or ends the command with why it cannot. */
export async function requireTool(name: string): Promise<void> {
  await installTool(name).catch(({ message }: Error) => {
    console.error(message);
    process.exit(1);
  });
}
