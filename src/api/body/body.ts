import type { JsonSchema } from '../../core/json-schema.js';
import type { Validator } from '../../core/validators.js';
import { DEFAULT_MAX_BODY_BYTES } from '../../http/read-body.js';
import type { HeldBody } from '../../http/body-room.js';

/** A JSON object, checked as a whole before the handler sees it. */
export interface JsonBody<T> {
  readonly kind: 'json';
  readonly object: Validator<T>;
  /** Flat name at the top level to path in the nested form, as `media_ids` to `media.media_ids`. */
  readonly flat: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

/** A body that the endpoint reads itself: multipart, form, or several kinds. */
export interface RawBody {
  readonly kind: 'raw';
  /** By content type, for the OpenAPI document. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  readonly maxBytes: number;
}

/** A raw body too large to be kept in memory: the handler reads it as it arrives. */
export interface StreamedBody extends RawBody {
  readonly isStreamed: true;
}

export interface StreamedBodyValue {
  /** The content-type header as sent; empty when there was none. */
  readonly contentType: string;
  /** To be read once; throws what reading `openBody` throws. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Room in memory for a body that is kept whole after all. */
  readonly hold: () => HeldBody;
}

interface RawBodyValue {
  /** The content-type header as sent; empty when there was none. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export type BodySpec<T> = JsonBody<T> | RawBody | StreamedBody;

/** What a handler gets for a body. */
export type BodyValue<B> =
  B extends JsonBody<infer T>
    ? T
    : B extends StreamedBody
      ? StreamedBodyValue
      : B extends RawBody
        ? RawBodyValue
        : undefined;

/**
 * Declares a JSON body. `flat` names the flat spellings (docs/api/requests.md#bodies) (docs/api/posts.md,
 * docs/api/messages.md): they are folded into the nested form before checking, a numeric step makes a list
 * (`message.attachments.0.media_id`); different values in both forms are refused.
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

/** Declares a body that is handed over as bytes. */
export function rawBody(content: Readonly<Record<string, JsonSchema>>, maxBytes: number): RawBody {
  return { kind: 'raw', content, maxBytes };
}

/**
 * Declares a body that is handed over as it arrives. A form (`application/x-www-form-urlencoded`), which has to be
 * read before anybody is authenticated, may have `DEFAULT_MAX_BODY_BYTES` only.
 */
export function streamedBody(content: Readonly<Record<string, JsonSchema>>, maxBytes: number): StreamedBody {
  return { kind: 'raw', content, maxBytes, isStreamed: true };
}

/** True for a body that is handed over as it arrives. */
export function isStreamed(body: BodySpec<unknown>): body is StreamedBody {
  return 'isStreamed' in body;
}
