// What the host asks of undici: requests go through Node's own fetch, so that its other half (fetch, WebSocket, mocks, caches) is never run.

export { default as buildConnector } from "../node_modules/undici/lib/core/connect.js";
export { default as Agent } from "../node_modules/undici/lib/dispatcher/agent.js";
export { setGlobalDispatcher } from "../node_modules/undici/lib/global.js";
