import { type MissingResource, PipitError } from '../core/errors.js';

/** The parts of a request URL that contain ids. */
export interface SentTexts {
  /** The path parameters as sent. */
  readonly rawPath: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly rawQuery: string;
}

/** Returns an id as a request parameter spells it, including leading zeros; by default without them. */
export function idAsSent(sent: SentTexts, parameter: string, id: bigint): string {
  return spellingAmong(textsOf(sent, parameter), id);
}

/**
 * Returns a thrown error in which a 404 names the id as the request spelled it (docs/api/errors.md). `json` is the
 * body as returned by `readJson`, if any.
 */
export function withIdAsSent(error: unknown, sent: SentTexts, json: unknown): unknown {
  if (!(error instanceof PipitError) || error.failure.code !== 'resource-not-found') return error;
  const { resource } = error.failure;
  const value = sentValue(resource, sent, json);
  if (value === resource.value) return error;
  return new PipitError({ code: 'resource-not-found', resource: { ...resource, value } }, { cause: error });
}

const DIGITS = /^[0-9]+$/;

function sentValue({ parameter, value }: MissingResource, sent: SentTexts, json: unknown): string {
  if (!DIGITS.test(value)) return value;
  return spellingAmong([...textsOf(sent, parameter), ...textsUnder(json, parameter)], BigInt(value));
}

function spellingAmong(texts: readonly string[], id: bigint): string {
  return texts.find((text) => DIGITS.test(text) && BigInt(text) === id) ?? String(id);
}

function textsOf({ rawPath, rawQuery }: SentTexts, parameter: string): string[] {
  return (rawPath[parameter] ?? new URLSearchParams(rawQuery).get(parameter) ?? '').split(',');
}

/** Returns the strings of all members with this name, single or in lists, anywhere in a body. */
function textsUnder(json: unknown, name: string): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]: [string, unknown]) => {
    if (key !== name) return textsUnder(value, name);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((each) => typeof each === 'string');
  });
}
