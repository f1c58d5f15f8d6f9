import { date, type JsonSchema, id } from '../../core/json-schema.js';
import { parseInstant } from '../../core/timestamp.js';
import { type Validator, leaf } from '../../core/validators.js';
import { DEFAULT_MAX_BODY_BYTES } from '../../http/read-body.js';
import type { HeldBody } from '../../http/body-room.js';
import { parseId } from '../../core/ids.js';
import { isLongInteger, longIntegerDigits } from '../../http/json.js';

/** A JSON object, checked as a whole before the handler sees it. */
export interface JsonBody<T> {
  readonly kind: 'json';
  readonly object: Validator<T>;
  /** Flat name at the top level to path in the nested form, as `media_ids` to `media.media_ids`. */
  readonly flat: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

/**
 * A body that the handler parses: multipart, form, or several kinds. It may be too large to be kept in memory: the
 * handler reads it as it arrives.
 */
export interface StreamedBody {
  readonly kind: 'streamed';
  /** By content type, for the OpenAPI document. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  readonly maxBytes: number;
}

export interface StreamedBodyValue {
  /** The content-type header as sent; empty when there was none. */
  readonly contentType: string;
  /** Readable once; throws the errors of `openBody`. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Reserves memory for a body that the handler keeps whole. */
  readonly hold: () => HeldBody;
}

export type BodySpec<T> = JsonBody<T> | StreamedBody;

/** What a handler gets for a body. */
export type BodyValue<B> =
  B extends JsonBody<infer T> ? T : B extends StreamedBody ? StreamedBodyValue : undefined;

/**
 * Declares a JSON body. `flat` names the flat spellings (docs/api/requests.md#bodies): they are folded into the
 * nested form before checking, a numeric step makes a list (`message.attachments.0.media_id`); different values in
 * both forms are refused.
 */
export function jsonBody<T>(
  object: Validator<T>,
  options: { readonly flat?: Readonly<Record<string, string>>; readonly maxBytes?: number } = {},
): JsonBody<T> {
  return {
    kind: 'json',
    object,
    flat: options.flat ?? {},
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BODY_BYTES,
  };
}

/**
 * Declares a body that the handler reads as a stream. Forms (`application/x-www-form-urlencoded`) are read before
 * authentication, so their limit is `DEFAULT_MAX_BODY_BYTES`.
 */
export function streamedBody(content: Readonly<Record<string, JsonSchema>>, maxBytes: number): StreamedBody {
  return { kind: 'streamed', content, maxBytes };
}

/** Reads an id in a JSON body: a decimal string or a JSON integer (docs/api/requests.md#ids). */
export function idField<T extends bigint>(description?: string): Validator<T> {
  return leaf({ ...id, description }, { kind: 'id' }, (value) => parseId<T>(digitsOf(value)));
}

/** Reads a time in a JSON body, in milliseconds since the epoch (docs/api/requests.md#times). */
export function timeField(description: string): Validator<number> {
  return leaf({ ...date, description }, { kind: 'time' }, (value) =>
    typeof value === 'string' ? parseInstant(value) : undefined,
  );
}

/** Returns the digits of an id, sent as text or as a number; a text that is not an id for other values. */
export function digitsOf(value: unknown): string {
  if (isLongInteger(value)) return longIntegerDigits(value);
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : '';
}
