import type { AppId, StreamConnectionId } from './ids.js';

/** The streams that apps connect to, by the names of docs/api/streams.md#connections. */
export const STREAM_NAMES = [
  'filtered_stream',
  'sample_stream',
  'sample10_stream',
  'firehose_stream',
  'firehose_stream_lang_en',
  'firehose_stream_lang_ja',
  'firehose_stream_lang_ko',
  'firehose_stream_lang_pt',
  'likes_firehose_stream',
  'likes_sample10_stream',
  'tweets_compliance_stream',
  'users_compliance_stream',
  'likes_compliance_stream',
  'tweet_label_stream',
  'activity_stream',
] as const;

export type StreamName = (typeof STREAM_NAMES)[number];

/**
 * Why a connection ended (docs/api/streams.md#connections). The client learns all but the last three from the last
 * message.
 */
export type StreamEnd =
  | 'OperationalDisconnect'
  | 'ForceDisconnect'
  | 'SlowReader'
  | 'ClientDisconnect'
  | 'RecoveryCompleted'
  | 'ConnectionLost';

/** An open connection of an app to a stream, or one that has ended. */
export interface StreamConnection {
  readonly id: StreamConnectionId;
  /** Its name for clients. */
  readonly uuid: string;
  readonly appId: AppId;
  readonly stream: StreamName;
  /** 1 or above; 0 for streams without partitions. */
  readonly partition: number;
  /** If true, it carries a time of the past and then ends. */
  readonly isRecovery: boolean;
  readonly clientAddress?: string;
  readonly connectedAtMs: number;
  /** When it ended, or when it will count as lost unless its process renews it. */
  readonly endsAtMs: number;
  /** Absent if it is open, or was lost. */
  readonly reason?: StreamEnd;
}
