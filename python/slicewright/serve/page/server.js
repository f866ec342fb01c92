// The server as the page sees it: requests, dropped files, and jobs whose events arrive one by one.

const headers = { "Content-Type": "application/json" };

/** A refusal by the server, with every problem. */
export class Refused extends Error {
  constructor(problems) {
    super(problems[0]?.what ?? "refused");
    this.problems = problems;
  }
}

/** One request; the answer as JSON. Throws Refused. */
export const request = async (path, options = {}) => {
  let answer;
  try {
    answer = await fetch(new URL(path, document.baseURI), options);
  } catch {
    throw new Refused([{ what: "the server does not answer", remedy: "start slicewright serve again, and open its address" }]);
  }
  if (answer.status === 204) return null;
  const text = await answer.text();
  if (!answer.ok && !text.startsWith("{")) throw new Refused([{ what: text.trim() || `status ${answer.status}` }]);
  const found = JSON.parse(text);
  if (!answer.ok) throw new Refused(found.problems);
  return found;
};

/** Half of a surrogate pair, which a file's name can have and an address cannot. */
const HALF = /[\uD800-\uDFFF]/gu;

/** Problems of files that were not taken, by drop: its screen shows them. */
export const left = new Map();

/** Uploads files, given as [name, File or null], as one drop. A file that is refused leaves the others; throws where all are. */
export const drop = async (files) => {
  const made = await request("drops", { method: "POST" });
  const wrong = [];
  let latest = null;
  for (const [name, file] of files) {
    try {
      if (!file) throw new Refused([{ what: "cannot be read" }]);
      const path = name.replace(HALF, "\uFFFD").split("/").map(encodeURIComponent).join("/");
      latest = await request(`drops/${made.id}/${path}`, { method: "PUT", body: file });
    } catch (error) {
      wrong.push(...(error.problems ?? [{ what: String(error) }]).map((each) => ({ ...each, file: each.file || name })));
    }
  }
  if (!latest) throw new Refused(wrong);
  if (wrong.length) left.set(made.id, wrong);
  return latest;
};

const jobs = new Map();
const listeners = new Map();
const watchers = new Set();

export const state = () => request("state");
export const result = (job) => request(`jobs/${job}`);
export const cancel = (job) => request(`jobs/${job}/cancel`, { method: "POST" });
export const running = () => [...jobs.values()].filter(({ state }) => state === "running" || state === "waiting");
export const known = (job) => jobs.get(job);

/** Calls `watch` with each event of each job; returns what ends it. */
export const watchAll = (watch) => {
  watchers.add(watch);
  return () => watchers.delete(watch);
};

/** Calls `hear` with each event of one job, the latest one first; returns what ends it. */
export const watch = (job, hear) => {
  const of = listeners.get(job) ?? new Set();
  listeners.set(job, of.add(hear));
  if (jobs.has(job)) hear(jobs.get(job));
  return () => of.delete(hear);
};

/** Asks for a task; the job. A new job of a slot cancels earlier ones. */
export const submit = async (task, args, slot = "") => {
  const job = await request("jobs", { method: "POST", headers, body: JSON.stringify({ task, arguments: args, slot }) });
  hear(job);
  return job;
};

/** The result of a task; `progress` is called with each event. Throws Refused with the problems of a job that failed. */
export const outcome = (job, progress = () => {}) => new Promise((resolve, reject) => {
  const end = watch(job, (event) => {
    progress(event);
    if (event.state === "waiting" || event.state === "running") return;
    queueMicrotask(() => end());
    if (event.state === "done") result(job).then((found) => resolve(found.result), reject);
    else reject(new Refused(event.problems.length ? event.problems : [{ what: "cancelled" }]));
  });
});

const ORDER = { waiting: 0, running: 1 };

const hear = (event) => {
  const before = jobs.get(event.job);
  // The answer to a request may arrive after events that are newer.
  if (before && (ORDER[event.state] ?? 2) < (ORDER[before.state] ?? 2)) return;
  jobs.set(event.job, event);
  for (const each of listeners.get(event.job) ?? []) each(event);
  for (const each of watchers) each(event);
};

/** Listens to the server; `lost` is called with whether it is out of reach. The browser connects again by itself. */
export const listen = (lost) => {
  const source = new EventSource(new URL("events", document.baseURI));
  source.onmessage = ({ data }) => hear(JSON.parse(data));
  source.onopen = () => lost(false);
  source.onerror = () => lost(true);
};
