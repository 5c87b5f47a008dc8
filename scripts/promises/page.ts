import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mutants } from "../../simulator/mutants/all.ts";
import { root } from "../paths.ts";
import { listedPromises, type Promised, type TableRow, tabledPromises } from "./read.ts";
import { type Statement, stated } from "./stated.ts";

/** docs/promises.md as the documents and the tests have it now, and all that is wrong with them. */
export function promisesPage(): { text: string; faults: string[] } {
  const listed = listedPromises();
  const tabled = tabledPromises();
  const rows = [
    ...listed.map((promise) => ({
      ...promise,
      by: (stated[promise.lead] ?? []).map(statementText),
    })),
    ...tabled.map((row) => ({ ...row, by: [row.proof] })),
  ];
  const leads = new Set(listed.map(({ lead }) => lead));
  return {
    text: `${head}\n${sections(rows)}`,
    faults: [
      ...listed.flatMap(faultsOfListed),
      ...tabled.flatMap(faultsOfRow),
      ...Object.keys(stated)
        .filter((lead) => !leads.has(lead))
        .map((lead) => `"${lead}" is stated, and promised in no document`),
    ],
  };
}

type Row = Promised & { by: string[] };

const head = `# Promises

Made by \`npm run promises\` from the documents and the tests: each promise that Perennial makes, and
below it the tests or the rules of the fault simulator ([billing.md](billing.md#the-simulator)) that state it. A promise that nothing states fails the command, and with it every change.
Files without a folder are in \`test/billing\`.
`;

function sections(rows: Row[]): string {
  const headings = [...new Set(rows.map(({ page, heading }) => `${page} ${heading}`))];
  return headings
    .map((one) => {
      const its = rows.filter(({ page, heading }) => `${page} ${heading}` === one);
      const { page, heading } = its[0]!;
      const lines = its.map(({ sentence, by }) =>
        [`- ${sentence}`, ...by.map((one) => `  - ${one}`)].join("\n"),
      );
      return [
        `## ${heading.replace(/^\d+\. /, "")}\n`,
        `From [${page}](${page}#${anchorOf(heading)}).\n`,
        ...lines,
      ].join("\n");
    })
    .join("\n\n")
    .concat("\n");
}

/** A heading's anchor, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function statementText([file, title]: Statement): string {
  return `[${file.replace(/^(test|src)\//, "").replace(/(\.test)?\.ts$/, "")}](../${file}): ${title.replaceAll("<", "\\<")}`;
}

function faultsOfListed({ page, lead }: Promised): string[] {
  const statements = stated[lead];
  if (!statements?.length) return [`${page}: nothing states "${lead}"`];
  return statements.flatMap(([file, title]) => {
    const text = textOf(file);
    if (text === undefined) return [`${page}: "${lead}" names ${file}, which does not exist`];
    return text.includes(title)
      ? []
      : [`${page}: "${lead}" names a test that ${file} does not have: ${title}`];
  });
}

function faultsOfRow({ page, lead, proof }: TableRow): string[] {
  if (proof === "") return [`${page}: nothing states "${lead}"`];
  const names = new Set(mutants.map(({ name }) => name));
  const mutantNames = /mutants? (.*)$/.exec(proof)?.[1]?.match(/_[^_]+_/g) ?? [];
  const files = proof
    .split("; ")
    .map((part) => part.replace(/[:(].*$/, "").trim())
    .filter((part) => !/^(simulator|mutants?)\b/.test(part));
  return [
    ...mutantNames
      .map((name) => name.slice(1, -1))
      .filter((name) => !names.has(name))
      .map((name) => `${page}: "${lead}" names the seeded bug ${name}, which does not exist`),
    ...files
      .filter((file) => !testFiles().some((path) => isNamed(path, file)))
      .map((file) => `${page}: "${lead}" names the test ${file}, which does not exist`),
  ];
}

function isNamed(path: string, name: string): boolean {
  return path === `${name}.test.ts` || path.endsWith(`/${name}.test.ts`);
}

let found: string[] | undefined;

function testFiles(): string[] {
  found ??= execFileSync("git", ["ls-files", "*.test.ts"], { cwd: root, encoding: "utf8" }).split("\n");
  return found;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(`${root}${file}`, "utf8");
  } catch {
    return undefined;
  }
}
