import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { html } from "hono/html";

/**
 * Serves the page of a shop, of another site than the Worker's, with the element that the query describes. Its policy is as strict as
 * one can be that allows the deployment's script and API.
 */
export async function startShopPage(): Promise<{ origin: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const of = (name: string) => searchParams.get(name) ?? "";
    const { origin } = new URL(of("src"));
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader(
      "Content-Security-Policy",
      `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'`,
    );
    response.end(String(await renderPage(of)));
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, close: () => server.close() };
}

function renderPage(of: (name: string) => string) {
  return html`<!doctype html>
<html lang="${of("lang")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>A shop</title>
<script type="module" src="${of("src")}" integrity="${of("integrity")}" crossorigin="anonymous"></script>
</head>
<body><main><h1>Your account</h1>
<perennial-next-delivery deployment="${new URL(of("src")).origin}" subscription="${of("subscription")}" token="${of("token")}"></perennial-next-delivery>
</main></body>
</html>`;
}
