// Stands around the Worker where the bench lets it have queues of its own.
import { stubs } from "./stubs.js";
import worker from "./worker.js";

const { JOBS: _, EVENTS: _1, ...others } = stubs;

export default {
  fetch: (request, env, ctx) => worker.fetch(request, { ...env, ...others }, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, { ...env, ...others }, ctx),
};
