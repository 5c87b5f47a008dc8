/** The variables of local development (wrangler.toml) that tests within Node need. */
export const localSettings = {
  TEST_CLOCKS: "on",
  RATE_LIMIT_PER_KEY: "100000",
  RATE_LIMIT_PER_ADDRESS: "100000",
};
