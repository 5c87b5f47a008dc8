/**
 * Seeds whose schedules have once found a fault of the code or of a rule. A schedule changes with the simulator's choices, so that a seed
 * may find nothing of the kind any more; each stays, as the fault's test does.
 */
export const onceFound: readonly number[] = [
  ...[5370, 777000555, 777003275, 777003680, 777004475, 991009415, 991010705, 991012685],
  ...[20263334, 20265926, 20276294, 30010563, 30071374, 212832102],
  ...[40007944, 40015994, 40039234, 40108534],
  ...[50004637, 50005661, 60002877, 800000106, 800002842, 800009420, 40005549],
  ...[20271197, 31004311, 31090269, 2000007427],
  ...[31020829, 31092509, 31106909, 31119703, 31147101, 31153053, 31166813, 31255389, 31410519],
];
