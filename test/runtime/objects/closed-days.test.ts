/** On accounts with an object too, the walk that moves dates from closed days moves each once. */
import { walkMovesOnce } from "../../domain/closed-days/walk.cases.ts";

walkMovesOnce();
