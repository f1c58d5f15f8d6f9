import type { Html } from '../api/reference/html.js';
import { PipitError } from '../core/errors.js';
import { note } from './fields.js';
import type { Visit } from './visit.js';

/** Validation errors by field name. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** The result of a form, or its validation errors. */
export type Outcome<T> =
  { readonly kind: 'done'; readonly value: T } | { readonly kind: 'faulty'; readonly faults: Faults };

/** Runs the work of a form. Turns `invalid-request` into validation errors and rethrows all other errors. */
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

/** Returns the status of a page that shows a form again. */
export function statusOf(faults: Faults): number {
  return faults.size > 0 ? 400 : 200;
}

/** Returns the message above a form that has errors. */
export function faultNote(faults: Faults): Html | undefined {
  return faults.size > 0 ? note('bad', 'Nothing was saved. Correct the errors below.') : undefined;
}

const DONE_FIELD = 'done';

/**
 * Returns the redirect target after a successful form: a page that confirms the action and can be reloaded safely.
 */
export function doneAt(path: string, what: string): string {
  return `${path}?${new URLSearchParams({ [DONE_FIELD]: what }).toString()}`;
}

/** Returns the confirmation of the form that redirected here. */
export function doneNote({ query }: Visit, texts: Readonly<Record<string, string>>): Html | undefined {
  const what = query.get(DONE_FIELD);
  const text = what !== null && Object.hasOwn(texts, what) ? texts[what] : undefined;
  return text === undefined ? undefined : note('good', text);
}
