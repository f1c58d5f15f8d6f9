import { type MissingResource, PipitError } from '../core/errors.js';

/** The parts of a request's address that ids stand in. */
export interface SentTexts {
  /** The texts of the path's parameters. */
  readonly rawPath: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly rawQuery: string;
}

/** How a request spelled an id that one of its parameters is or lists, leading zeros and all; else without these. */
export function idAsSent(sent: SentTexts, parameter: string, id: bigint): string {
  return spellingAmong(textsOf(sent, parameter), id);
}

/**
 * What a handler threw, with the id that a 404 names as the request spelled it (docs/api/errors.md). `json` is
 * what the body holds, as `readJson` returns it; undefined when there is none.
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

/** The texts that members of that name hold, alone or in a list, anywhere in a body. */
function textsUnder(json: unknown, name: string): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]: [string, unknown]) => {
    if (key !== name) return textsUnder(value, name);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((each) => typeof each === 'string');
  });
}
