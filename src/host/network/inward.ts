import { BlockList } from "node:net";

/**
 * The addresses that lead inward, by IANA's special-purpose registries (RFC 6890): this machine, private and shared networks, links,
 * tests, multicast. An IPv4 address that is mapped into IPv6 counts as itself; one that is translated (NAT64, 6to4, Teredo) is refused.
 */
export const inward = new BlockList();

const ipv4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
const ipv6 = [
  ...["::/128", "::1/128", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32"],
  ...["2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

for (const [family, subnets] of [
  ["ipv4", ipv4],
  ["ipv6", ipv6],
] as const)
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/");
    inward.addSubnet(network, Number(bits), family);
  }
