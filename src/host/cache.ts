type Kept = { body: ArrayBuffer; headers: [string, string][]; until: number };

/** `caches.default`: successes, each for as long as its Cache-Control says; the oldest goes where there are too many. */
export function openCache(most = 1000): Pick<Cache, "match" | "put" | "delete"> {
  const kept = new Map<string, Kept>();
  return {
    async match(request) {
      const found = kept.get(urlOf(request));
      if (!found || found.until <= Date.now()) return undefined;
      return new Response(found.body, { headers: found.headers });
    },
    async put(request, response) {
      const [, seconds] = /max-age=(\d+)/.exec(response.headers.get("Cache-Control") ?? "") ?? [];
      if (response.status !== 200 || seconds === undefined) return;
      const body = await response.arrayBuffer();
      kept.delete(urlOf(request));
      kept.set(urlOf(request), {
        ...{ body, headers: [...response.headers] },
        until: Date.now() + Number(seconds) * 1000,
      });
      if (kept.size > most) kept.delete(kept.keys().next().value as string);
    },
    delete: async (request) => kept.delete(urlOf(request)),
  };
}

function urlOf(request: RequestInfo | URL): string {
  return request instanceof Request ? request.url : String(request);
}
