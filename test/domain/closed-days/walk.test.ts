/** The walk that moves dates from closed days moves each once, through lost, doubled and late messages. */
import { walkMovesOnce } from "./walk.cases.ts";

walkMovesOnce();
