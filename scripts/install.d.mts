/** Installs the packages of a folder in tools/. Nothing is done where they are there. */
export declare function installTool(name: string): Promise<void>;
