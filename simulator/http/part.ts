import type { Part } from "../kernel/world.ts";
import { askedOf, noteEffect } from "./asked.ts";
import { checkKeys } from "./check-keys.ts";
import { askAgain, unanswered } from "./client.ts";

/** Requests over HTTP, of which the client has heard no answer. */
export const http: Part = {
  acts: [
    {
      name: "ask again",
      weight: ({ worlds }) => (worlds.some((one) => unanswered(one).length > 0) ? 6 : 0),
      act: ({ choices, worlds }) => {
        const one = choices.pick(worlds.filter((each) => unanswered(each).length > 0));
        return askAgain(one, choices.pick(unanswered(one)));
      },
    },
  ],
  async settle({ worlds }) {
    for (const one of worlds) for (const asked of unanswered(one)) await askAgain(one, asked);
  },
  wrote: noteEffect,
  rewind({ worlds, restoredTo = 0 }) {
    for (const one of worlds)
      for (const asked of askedOf(one))
        asked.effects = asked.effects.filter(({ commit }) => commit <= restoredTo);
  },
  checkAccount: checkKeys,
};
