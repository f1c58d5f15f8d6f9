declare const brand: unique symbol;
type Id<Name extends string> = bigint & { readonly [brand]: Name };

export type PostId = Id<'post'>;
export type UserId = Id<'user'>;
export type AppId = Id<'app'>;
export type PollId = Id<'poll'>;
export type ListId = Id<'list'>;
export type ArticleId = Id<'article'>;
export type CommunityId = Id<'community'>;
export type SavedSearchId = Id<'saved search'>;
export type ReportId = Id<'report'>;
export type ReportCaseId = Id<'report case'>;
/** An entry of the operators' audit log. */
export type AuditEntryId = Id<'audit entry'>;
/** What a user was told about an operator's decision. */
export type NoticeId = Id<'notice'>;
export type BookmarkFolderId = Id<'bookmark folder'>;
/** The number in a media key: media key `3_12` has id 12. */
export type MediaId = Id<'media'>;
/** Orders an owner's edges (likes, follows, ...) by creation time. */
export type EdgeId = Id<'edge'>;
export type DmEventId = Id<'dm event'>;
export type JobId = Id<'job'>;
/** A process that serves requests. */
export type ServerId = Id<'server'>;
export type ComplianceJobId = Id<'compliance job'>;
export type StreamRuleId = Id<'stream rule'>;
export type ActivitySubscriptionId = Id<'activity subscription'>;
export type WebhookId = Id<'webhook'>;
/** Numbers all deliveries to webhooks in the order in which they were created. */
export type DeliveryId = Id<'delivery'>;
export type StreamConnectionId = Id<'stream connection'>;
/** An attempt to upload the ids of a compliance job. */
export type ComplianceUploadId = Id<'compliance upload'>;

/** The largest id in the wire's pattern and every engine's BIGINT. */
export const MAX_ID = 9_223_372_036_854_775_807n;

export const ID_PATTERN = /^[0-9]{1,19}$/;

/**
 * Parses a decimal id. Returns undefined for other text and numbers over 64 bits (docs/api/requests.md#parameters).
 */
export function parseId<T extends bigint>(text: string): T | undefined {
  if (!ID_PATTERN.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_ID ? (value as T) : undefined;
}
