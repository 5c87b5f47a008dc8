import { dirname, join, normalize } from "node:path";

/** The page of a guide: the index for the README of docs/. */
export function pageOf(path) {
  return path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");
}

/** A guide as a whole page. */
export function renderGuide(text, path) {
  const home = "../".repeat(path.split("/").length - 1);
  const [, title = "Guides"] = /^# (.+)$/m.exec(text) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Perennial</title>
<link rel="stylesheet" href="/assets/guides.css">
<link rel="icon" href="/favicon.ico">
</head>
<body>
<header><a href="/">Perennial</a> <a href="${home}index.html">Guides</a> <a href="/api">API</a></header>
<main>
${blocks(text.replaceAll(/<!--[\s\S]*?-->\n?/g, "").split("\n"), path)}
</main>
</body>
</html>
`;
}

const itemMark = /^(- |\d+\. )/;

function blocks(lines, path) {
  const html = [];
  while (lines.length > 0) {
    const line = lines[0];
    if (line.trim() === "") lines.shift();
    else if (/^```/.test(line)) html.push(code(lines));
    else if (/^#/.test(line)) html.push(heading(lines.shift(), path));
    else if (/^\|/.test(line)) html.push(table(taken(lines, /^\|/), path));
    else if (/^> /.test(line))
      html.push(
        `<blockquote>${blocks(
          taken(lines, /^>/).map((one) => one.replace(/^> ?/, "")),
          path,
        )}</blockquote>`,
      );
    else if (itemMark.test(line)) html.push(list(lines, path));
    else html.push(`<p>${inline(taken(lines, /^(?!```|#|\||> |- |\d+\. |\s*$)/).join(" "), path)}</p>`);
  }
  return html.join("\n");
}

/** Takes the first lines that are of a form. */
function taken(lines, form) {
  const end = lines.findIndex((line) => !form.test(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function code(lines) {
  lines.shift();
  const end = lines.findIndex((line) => /^```/.test(line));
  const content = lines.splice(0, end);
  lines.shift();
  return `<pre tabindex="0"><code>${escaped(content.join("\n"))}</code></pre>`;
}

function heading(line, path) {
  const [, marks, text] = /^(#+) (.*)$/.exec(line);
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  return `<h${marks.length} id="${id}">${inline(text, path)}</h${marks.length}>`;
}

function table([head, , ...rows], path) {
  const cells = (row, tag) =>
    row
      .slice(1, row.lastIndexOf("|"))
      .split(/(?<!\\)\|/)
      .map((cell) => `<${tag}>${inline(cell.trim().replaceAll("\\|", "|"), path)}</${tag}>`)
      .join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
  return `<div class="wide" tabindex="0"><table>\n<thead><tr>${cells(head, "th")}</tr></thead>\n<tbody>\n${body}\n</tbody></table></div>`;
}

/** A list, whose items may hold more blocks, indented. */
function list(lines, path) {
  const isNumbered = /^\d/.test(lines[0]);
  const items = [];
  while (lines.length > 0 && itemMark.test(lines[0])) {
    const width = itemMark.exec(lines[0])[0].length;
    const item = [lines.shift().slice(width)];
    while (
      lines.length > 0 &&
      (/^\s/.test(lines[0]) || (lines[0] === "" && /^\s+\S/.test(lines[1] ?? "")) || isContinued(lines[0]))
    )
      item.push(lines.shift().replace(new RegExp(`^ {0,${width}}`), ""));
    const [first, ...rest] = splitFirst(item);
    items.push(`<li>${inline(first, path)}${rest.length > 0 ? `\n${blocks(rest, path)}` : ""}</li>`);
  }
  const tag = isNumbered ? "ol" : "ul";
  return `<${tag}>\n${items.join("\n")}\n</${tag}>`;
}

/** Whether a line goes on with the sentence of the item above. */
function isContinued(line) {
  return line !== "" && !itemMark.test(line) && !/^(```|#|\||> )/.test(line);
}

/** The first paragraph of an item, and the lines of what follows in it. */
function splitFirst(item) {
  const end = item.findIndex((line, at) => at > 0 && (line === "" || /^(```|\||- |\d+\. )/.test(line)));
  return end < 0 ? [item.join(" ")] : [item.slice(0, end).join(" "), ...item.slice(end)];
}

/** The marks within a line. Code is set aside meanwhile, as it has none. */
function inline(text, path) {
  const codes = [];
  const keep = (code) => `\uE000${codes.push(`<code>${escaped(code)}</code>`) - 1}\uE000`;
  const marked = escaped(text.replaceAll(/`([^`]+)`/g, (_, code) => keep(code)))
    .replaceAll(/!\[([^\]]*)\]\(([^)]+)\)/g, '<img src="$2" alt="$1">')
    .replaceAll(/&lt;(https?:[^&]+)&gt;/g, '<a href="$1">$1</a>')
    .replaceAll(/\[((?:(?!\]\().)*?)\]\(([^)\s]+)\)/g, (_, label, target) => link(label, target, path))
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/(?<![\w*/])_([^_]+)_(?!\w)/g, "<em>$1</em>");
  return marked.replaceAll(/\uE000(\d+)\uE000/g, (_, nth) => codes[nth]);
}

/** A link to a page of the guides or elsewhere; a file of the repository that no deployment serves is its name. */
function link(label, target, path) {
  if (/^(https?:|mailto:|#)/.test(target)) return `<a href="${target}">${label}</a>`;
  const [file, anchor] = target.split("#");
  const full = normalize(join(dirname(path), file)).replaceAll("\\", "/");
  if (full.startsWith("../") || !file.endsWith(".md"))
    return `${label} (<code>${full.replace(/^(\.\.\/)+/, "")}</code>)`;
  return `<a href="${pageOf(file)}${anchor ? `#${anchor}` : ""}">${label}</a>`;
}

function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
