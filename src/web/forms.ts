import type { Html } from '../api/reference/html.js';
import { PipitError } from '../core/errors.js';
import { note } from './fields.js';
import type { Visit } from './visit.js';

/** What is wrong with a form, by the names of its fields. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** What a form led to, or what is wrong with it. */
export type Outcome<T> =
  { readonly kind: 'done'; readonly value: T } | { readonly kind: 'faulty'; readonly faults: Faults };

/** Does what a form asks for; an `invalid-request` becomes faults of its fields, every other error is thrown on. */
export async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (!(error instanceof PipitError) || error.failure.code !== 'invalid-request') throw error;
    const faults = new Map<string, string>();
    for (const { parameters, message } of error.failure.violations) {
      const [field = ''] = Object.keys(parameters);
      if (!faults.has(field)) faults.set(field, message);
    }
    return { kind: 'faulty', faults };
  }
}

/** The status of a page that shows a form again. */
export function statusOf(faults: Faults): number {
  return faults.size > 0 ? 400 : 200;
}

/** Says on top of a form that something below is wrong. */
export function faultNote(faults: Faults): Html | undefined {
  return faults.size > 0 ? note('bad', 'Nothing is saved yet: see below what is wrong.') : undefined;
}

const DONE_FIELD = 'done';

/** Where a form leads when it was done: to a page that tells so, and that can be loaded again without harm. */
export function doneAt(path: string, what: string): string {
  return `${path}?${new URLSearchParams({ [DONE_FIELD]: what }).toString()}`;
}

/** What a page tells of the form that led to it. */
export function doneNote({ query }: Visit, texts: Readonly<Record<string, string>>): Html | undefined {
  const what = query.get(DONE_FIELD);
  const text = what !== null && Object.hasOwn(texts, what) ? texts[what] : undefined;
  return text === undefined ? undefined : note('good', text);
}
