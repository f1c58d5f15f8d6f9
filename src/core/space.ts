import type { UserId } from './ids.js';
import { foldText } from './search-text/fold.js';
import { phraseOf, tokensOf } from './search-text/tokenize.js';
import { UNSPACED } from './search-text/unspaced-scripts.js';

declare const brand: unique symbol;
/** A string, unlike all other ids (docs/api/requests.md#parameters). */
export type SpaceId = string & { readonly [brand]: 'space' };

/** The ids allowed in requests (docs/api/requests.md#parameters). */
export const SPACE_ID_PATTERN = /^[a-zA-Z0-9]{1,13}$/;

export const SPACE_STATES = ['scheduled', 'live', 'ended'] as const;
export type SpaceState = (typeof SPACE_STATES)[number];

export interface SpaceTopic {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** The settings chosen by the creator. */
export interface SpaceSettings {
  readonly title: string;
  readonly lang?: string;
  readonly isTicketed: boolean;
  readonly scheduledStartMs?: number;
  readonly hostIds: readonly UserId[];
  readonly speakerIds: readonly UserId[];
  readonly invitedIds: readonly UserId[];
  readonly topics: readonly SpaceTopic[];
}

/** An audio conversation; only its metadata is stored (docs/api/objects.md). */
export interface Space extends SpaceSettings {
  readonly id: SpaceId;
  readonly creatorId: UserId;
  readonly state: SpaceState;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  /** The number of participants: at least the hosts and speakers, unless set explicitly (docs/api/spaces.md). */
  readonly participants: number;
}

/** Reports whether a state transition is allowed: scheduled to live or ended, live to ended (docs/api/spaces.md). */
export function mayBecome(from: SpaceState, to: SpaceState): boolean {
  return from === 'scheduled' ? to !== 'scheduled' : from === 'live' && to === 'ended';
}

/** Returns the number of hosts and speakers; 0 until the Space is live. */
export function knownParticipants({
  state,
  creatorId,
  hostIds,
  speakerIds,
}: Pick<Space, 'state' | 'creatorId' | 'hostIds' | 'speakerIds'>): number {
  return state === 'scheduled' ? 0 : new Set([creatorId, ...hostIds, ...speakerIds]).size;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);
const ID_LENGTH = 13;

/** Returns the id of a new Space: 13 letters and digits, unique per snowflake and in the same order. */
export function spaceIdOf(snowflake: bigint): SpaceId {
  let text = '';
  for (let rest = snowflake; rest > 0n; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text;
  return `1${text.padStart(ID_LENGTH - 1, '0')}` as SpaceId;
}

const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, 'gu');

/** Returns the search tokens of a title: its words, including those of hashtags and mentions (docs/api/spaces.md). */
export function titleTokens(title: string): string[] {
  const characters = foldText(title).match(UNSPACED_CHARACTER) ?? [];
  return [...new Set([...tokensOf(title), ...characters])];
}

/** Returns the tokens that a title must contain, in any order, to match a search; an empty list matches nothing. */
export function queryTokens(query: string): string[] {
  const words = query.split(/\s+/u).filter((word) => word !== '');
  return [...new Set(words.flatMap((word) => phraseOf(word)?.tokens ?? []))];
}
