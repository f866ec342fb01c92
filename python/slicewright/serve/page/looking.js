// Looks at a setting: one is asked for at a time, and only the answer to the one that was asked last is shown.

import { cancel, known, result, submit, watchAll } from "./server.js";

/**
 * Asks for looks. While one has not answered yet, the latest setting waits and those between are left out: so results
 * follow a slider that moves, and the last setting is always asked for.
 *
 * `hears`: `asked(ask, job, or null where a later setting waits)`, `part(part, whether it is refined)`, `done(result)`, `refused(problems)`, `busy(whether the shown is behind)`.
 */
export const looker = (slot, first, hears) => {
  let ask = first;
  let job = null;
  let waits = false;
  let next = null;
  let over = true;

  const answered = () => {
    waits = false;
    if (next) send();
  };
  const send = async () => {
    const { task, args } = next;
    next = null;
    waits = true;
    over = false;
    job = null;
    ask += 1;
    const mine = ask;
    hears.busy(true);
    try {
      const { job: number } = await submit(task, { ...args, ask: mine }, slot);
      if (mine !== ask) return;
      job = number;
      hears.asked(ask, next ? null : job);
      settle(known(job));
    } catch (error) {
      if (mine === ask) end(() => hears.refused(error.problems ?? [{ what: String(error) }]));
    }
  };
  const end = (tell) => {
    over = true;
    if (!next) tell();
    answered();
  };
  const settle = ({ state, problems }) => {
    const mine = ask;
    if (over || state === "waiting" || state === "running") return;
    if (state === "done") {
      over = true;
      result(job).then(({ part, result: found }) => {
        if (mine !== ask) return;
        if (part?.ask === mine) hears.part(part, false);
        if (!next && found.ask === mine) hears.done(found);
        answered();
      }, (error) => mine === ask && end(() => hears.refused(error.problems)));
    } else if (state === "cancelled") end(() => hears.refused([]));
    else end(() => hears.refused(problems));
  };
  const forget = watchAll((event) => {
    if (event.slot !== slot) return;
    if (event.part?.ask === ask && !over) {
      if (!next) hears.busy(false);
      hears.part(event.part, !next);
      answered();
    }
    if (event.job === job && job !== null) settle(event);
  });
  return {
    /** Asks for a look at a setting: its task and arguments. */
    look(task, args) {
      next = { task, args };
      hears.busy(true);
      if (!waits) send();
    },
    /** Goes on with a look that was asked for before the page was loaded anew; false where it is not kept. */
    async resume(number, asked) {
      try {
        const { slot: of, state, part, result: found } = await result(number);
        if (of !== slot || !["waiting", "running", "done"].includes(state)) return false;
        [ask, job, over, waits] = [asked, number, state === "done", state !== "done" && !part];
        if (part?.ask === ask) hears.part(part, !over);
        if (state === "done") hears.done(found);
        else settle(known(number) ?? { state });
        return true;
      } catch {
        return false;
      }
    },
    /** Stops the look that is under way, and forgets the setting that waits. */
    stop() {
      next = null;
      if (job !== null && !over) cancel(job);
    },
    /** Leaves the look that is under way, of which nothing is shown any more; the number of the last that was asked. */
    drop() {
      this.stop();
      const last = ask;
      ask += 1;
      [over, waits, job] = [true, false, null];
      return last;
    },
    /** Ends with the screen: other work does not wait for a look that is not shown. */
    close() {
      this.stop();
      ask += 1;
      forget();
    },
  };
};
