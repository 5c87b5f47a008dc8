type Position = { line: number; column: number };
type Options = {
  configFile: string;
  jsonReporter: { fileName: string };
  mutate: string[];
  concurrency: number;
};
type Mutant = { status: string; location: { start: Position; end: Position }; replacement: string };

/** As much of Stryker as is used here, so that types can be checked without its packages. */
export declare class Stryker {
  constructor(options: Options);
  runMutationTest(): Promise<Mutant[]>;
}
