// Loaded before the program in the drill: cron comes each second, or never again after the start, and SIGUSR2 lets 16 minutes pass.
const { setInterval: setRealInterval, Date: RealDate } = globalThis;
const cronMs = 60_000;
const passesMs = 16 * 60_000;

globalThis.setInterval = (act, ms, ...rest) => {
  if (ms !== cronMs) return setRealInterval(act, ms, ...rest);
  return setRealInterval(process.env.DRILL_CRON === "stopped" ? () => undefined : act, 1_000);
};

let passed = 0;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + passed);
    else super(...given);
  }
  static now() {
    return RealDate.now() + passed;
  }
};
process.on("SIGUSR2", () => {
  passed += passesMs;
});
