declare const brand: unique symbol;
type Id<Name extends string> = bigint & { readonly [brand]: Name };

export type PostId = Id<'post'>;
export type UserId = Id<'user'>;
export type AppId = Id<'app'>;
export type PollId = Id<'poll'>;
export type ListId = Id<'list'>;
/** The digits of a media key: media key `3_12` has id 12. */
export type MediaId = Id<'media'>;
/** Orders the edges (likes, follows, ...) of one owner by the time they were made. */
export type EdgeId = Id<'edge'>;
export type DmEventId = Id<'dm event'>;
export type JobId = Id<'job'>;
/** Of a process that answers requests. */
export type ServerId = Id<'server'>;
export type ComplianceJobId = Id<'compliance job'>;
/** One attempt to upload the ids of a compliance job. */
export type ComplianceUploadId = Id<'compliance upload'>;

/** The largest id that fits the wire's pattern and every engine's BIGINT. */
export const MAX_ID = 9_223_372_036_854_775_807n;

const ID_PATTERN = /^[0-9]{1,19}$/;

/** Reads a decimal id; undefined when it is none or exceeds 64 bits (docs/api/requests.md#parameters). */
export function parseId<T extends bigint>(text: string): T | undefined {
  if (!ID_PATTERN.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_ID ? (value as T) : undefined;
}
