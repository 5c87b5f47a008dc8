/** A client is counted by its IPv4 address, or by the /64 of its IPv6 address. */
import { expect, test } from "vitest";
import { subscriberOf } from "./rate-limit.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:0003:0004:0005:0006", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["unknown", "unknown"],
])("%s is counted as %s", (address, counted) => {
  expect(subscriberOf(address)).toBe(counted);
});
