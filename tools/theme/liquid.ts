/** Liquid, as the theme extension is rendered with in tests. It stands here because imports are resolved from the folder of a module. */
export { Liquid, type TagToken, type TopLevelToken } from "liquidjs";
