/** The way of one charge as a drawing, for light pages and dark ones. */
export function chargeDrawing(): string {
  const drawn = [...boxes.map(drawBox), ...arrows.map(drawArrow)].join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 290" role="img" aria-label="The way of one charge">
<style>
text { font: 14px system-ui, sans-serif; fill: #1d2a25; } .head { font-weight: 600; } .small { font-size: 12px; fill: #55635d; }
rect { fill: #f4f7f5; stroke: #1f5f4a; stroke-width: 1.5; } .end { fill: #e2f1ea; } path { fill: none; stroke: #55635d; stroke-width: 1.5; } marker path { fill: #55635d; stroke: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #e7eeea; } .small { fill: #a9b8b1; } rect { fill: #1b2521; stroke: #6fbf9f; } .end { fill: #1f3a30; }
  path { stroke: #a9b8b1; } marker path { fill: #a9b8b1; }
}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${drawn}
</svg>
`;
}

type Box = { x: number; y: number; width: number; head: string; lines: string[]; isEnd?: boolean };

const boxes: Box[] = [
  { x: 10, y: 20, width: 190, head: "Due", lines: ["cron, ship-now, a retry", "or another card"] },
  {
    x: 250,
    y: 20,
    width: 210,
    head: "Attempt, in one batch",
    lines: ["amount, lines, key: frozen", "a lost message is found again"],
  },
  { x: 510, y: 20, width: 190, head: "Claim", lines: ["one sender at a time,", "for a minute"] },
  {
    x: 750,
    y: 20,
    width: 200,
    head: "The store charges",
    lines: ["under the same key,", "however often it is asked"],
  },
  {
    x: 750,
    y: 190,
    width: 200,
    head: "No answer",
    lines: ["asked about by the same key;", "after a day: a person"],
  },
  {
    ...{ x: 510, y: 190, width: 190, head: "Declined", isEnd: true },
    lines: ["tried again on days 1, 3, 7,", "or the customer is asked"],
  },
  {
    ...{ x: 250, y: 190, width: 210, head: "Paid, in one batch", isEnd: true },
    lines: ["order, next date, history,", "mails and webhooks to send"],
  },
  {
    x: 10,
    y: 190,
    width: 190,
    head: "The next cycle",
    lines: ["counted from its anchor,", "so no day drifts"],
    isEnd: true,
  },
];

const arrows = [
  "M200 60H248",
  "M460 60H508",
  "M700 60H748",
  "M850 100V188",
  "M930 188V102",
  "M790 100C780 150 640 140 610 188",
  "M770 100C700 150 400 140 360 188",
  "M250 230H202",
];

function drawBox({ x, y, width, head, lines, isEnd = false }: Box): string {
  const text = lines.map(
    (line, nth) => `<text class="small" x="${x + 14}" y="${y + 46 + nth * 18}">${line}</text>`,
  );
  return `<rect${isEnd ? ' class="end"' : ""} x="${x}" y="${y}" width="${width}" height="80" rx="8"/><text class="head" x="${x + 14}" y="${y + 25}">${head}</text>${text.join("")}`;
}

function drawArrow(way: string): string {
  return `<path d="${way}" marker-end="url(#tip)"/>`;
}
