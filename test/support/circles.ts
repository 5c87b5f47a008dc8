/** The circles that a walk from each origin meets. */
export function circlesIn(arrows: { from: string; to: string }[]): string[] {
  const graph = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, trail: string[]): void => {
    if (trail.includes(node)) circles.push([...trail.slice(trail.indexOf(node)), node].join(" → "));
    if (done.has(node) || trail.includes(node)) return;
    for (const { to } of graph.get(node) ?? []) visit(to, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}
