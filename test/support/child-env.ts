/** The environment of processes that tests start: what one has compiled, the others need not compile again. */
export const childEnv: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: "node_modules/.cache/compiled",
};
