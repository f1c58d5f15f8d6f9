import type { UserId } from './ids.js';
import { foldText } from './search-text/fold.js';
import { phraseOf, tokensOf } from './search-text/tokenize.js';
import { UNSPACED } from './search-text/unspaced-scripts.js';

declare const brand: unique symbol;
/** Text, unlike all other ids (docs/api/requests.md#parameters). */
export type SpaceId = string & { readonly [brand]: 'space' };

/** Ids as requests may name them (docs/api/requests.md#parameters). */
export const SPACE_ID_PATTERN = /^[a-zA-Z0-9]{1,13}$/;

export const SPACE_STATES = ['scheduled', 'live', 'ended'] as const;
export type SpaceState = (typeof SPACE_STATES)[number];

export interface SpaceTopic {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** What its creator chooses. */
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

/** A conversation in sound, of which there is all but the sound (docs/api/objects.md). */
export interface Space extends SpaceSettings {
  readonly id: SpaceId;
  readonly creatorId: UserId;
  readonly state: SpaceState;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  /** Who is in it: hosts and speakers at least, unless it was said otherwise (docs/api/spaces.md). */
  readonly participants: number;
}

/** Scheduled ones go live or are cancelled, live ones end, and that is the end (docs/api/spaces.md). */
export function mayBecome(from: SpaceState, to: SpaceState): boolean {
  return from === 'scheduled' ? to !== 'scheduled' : from === 'live' && to === 'ended';
}

/** How many its hosts and speakers are, once it is live. */
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

/** The id of a new Space: 13 letters and digits, another one for every snowflake, growing with them. */
export function spaceIdOf(snowflake: bigint): SpaceId {
  let text = '';
  for (let rest = snowflake; rest > 0n; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text;
  return `1${text.padStart(ID_LENGTH - 1, '0')}` as SpaceId;
}

const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, 'gu');

/** Under what a Space is found: the words of its title, hashtags and mentions as words too (docs/api/spaces.md). */
export function titleTokens(title: string): string[] {
  const characters = foldText(title).match(UNSPACED_CHARACTER) ?? [];
  return [...new Set([...tokensOf(title), ...characters])];
}

/** What a title must have, all of it and in any order, for a search to find it; nothing: it finds nothing. */
export function queryTokens(query: string): string[] {
  const words = query.split(/\s+/u).filter((word) => word !== '');
  return [...new Set(words.flatMap((word) => phraseOf(word)?.tokens ?? []))];
}
