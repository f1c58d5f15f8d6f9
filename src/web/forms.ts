import type { Html } from '../api/reference/html.js';
import { PipitError } from '../core/errors.js';
import type { Answer } from '../http/answer.js';
import { note, textArea, textField, type Faults, type TextField } from './fields.js';
import type { Visit } from './visit.js';

export const NO_FAULTS: Faults = new Map();

/** Runs the work of a form. Answers `invalid-request` with `showFaults`; rethrows all other errors. */
export async function attempt<T>(
  work: () => Promise<T>,
  showFaults: (faults: Faults) => Answer | Promise<Answer>,
  finish: (value: T) => Answer | Promise<Answer>,
): Promise<Answer> {
  let value: T;
  try {
    value = await work();
  } catch (error) {
    return showFaults(faultsOf(error));
  }
  return finish(value);
}

/** Runs a part of the work of a form. Returns the faults of an `invalid-request`; rethrows all other errors. */
export async function faultsIn(work: () => Promise<unknown>): Promise<Faults> {
  try {
    await work();
    return NO_FAULTS;
  } catch (error) {
    return faultsOf(error);
  }
}

/** Returns the violations of an `invalid-request` by field; throws all other errors. */
function faultsOf(error: unknown): Faults {
  if (!(error instanceof PipitError) || error.failure.code !== 'invalid-request') throw error;
  const faults = new Map<string, string>();
  for (const { parameters, message } of error.failure.violations) {
    const [field = ''] = Object.keys(parameters);
    if (!faults.has(field)) faults.set(field, message);
  }
  return faults;
}

type Labelled = (name: string, label: string, field?: Partial<TextField>) => Html;

/** Returns functions that create text fields with the values and the errors of a form. */
export function boundFields(
  values: Readonly<Record<string, string>>,
  faults: Faults,
): { readonly text: Labelled; readonly area: Labelled } {
  const bound =
    (create: (field: TextField) => Html): Labelled =>
    (name, label, field) =>
      create({ name, label, value: values[name], fault: faults.get(name), ...field });
  return { text: bound(textField), area: bound(textArea) };
}

/** Returns the status of a page that shows a form again. */
export function statusOf(faults: Faults): number {
  return faults.size > 0 ? 400 : 200;
}

/** Returns the message above a form that has errors. */
export function faultNote(faults: Faults): Html | undefined {
  return faults.size > 0 ? note('bad', 'Nothing was saved. Correct the errors below.') : undefined;
}

/** Returns the message above a form whose parts are saved independently of each other. */
export function partFaultNote(faults: Faults): Html | undefined {
  return faults.size > 0
    ? note('bad', 'What is marked below was not saved. Correct it; a file must be chosen again.')
    : undefined;
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
