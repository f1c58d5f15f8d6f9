import { TWEET_EXPANSIONS } from '../src/api/params/fields.js';
import { seeded } from '../test/support/random-search.js';
import { profileRequest, type Editor } from './mix-editors.js';
import { KINDS, kindSource, type Kind, type Shares } from './mix-kinds.js';
import { textSource, wordSource } from './mix-text.js';
import type { MixPerson } from './mix-world.js';
import { bodyRequest, getRequest, signedGet } from './requests.js';
import { APP_BEARER, OAUTH1_KEYS } from './social-world.js';
import { FIRST_POST_MS, postId } from './world.js';
import { zipf } from './zipf.js';

const HOST = 'bench.example';
const USER_FIELDS = 'user.fields=created_at,description,profile_image_url,public_metrics,verified';
const FIELDS = [
  'expansions=author_id,referenced_tweets.id',
  'tweet.fields=author_id,conversation_id,created_at,entities,in_reply_to_user_id,lang,public_metrics,referenced_tweets',
  USER_FIELDS,
].join('&');
const ALL_FIELDS = [
  `expansions=${TWEET_EXPANSIONS.join(',')}`,
  `tweet.fields=${[
    'attachments,author_id,context_annotations,conversation_id,created_at,edit_controls,entities,geo,in_reply_to_user_id',
    'lang,possibly_sensitive,public_metrics,referenced_tweets,reply_settings,source,withheld',
  ].join(',')}`,
  'user.fields=created_at,description,entities,location,pinned_tweet_id,profile_image_url,protected,public_metrics,url,verified',
  'media.fields=alt_text,duration_ms,height,preview_image_url,public_metrics,url,variants,width',
  'poll.fields=duration_minutes,end_datetime,voting_status',
  'place.fields=contained_within,country,country_code,geo,name,place_type',
].join('&');
const LOOKUP_SIZE = 100;
const OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not']);
const SINCE = new Date(FIRST_POST_MS).toISOString();
const MAX_TEXT = 240;
const MAX_DESCRIPTION = 150;

/** A request, and what its successful response changes for later requests. */
export interface MixRequest {
  readonly kind: Kind;
  readonly text: string;
  /** True if a block that an earlier request made may forbid it. */
  readonly mayBeRefused?: boolean;
  onAnswer?(answer: Buffer): void;
}

type Pair = readonly [MixPerson, MixPerson];

/** What earlier requests have created and later requests remove. */
export class MixState {
  readonly follows: Pair[] = [];
  readonly blocks: Pair[] = [];
  /** Everybody who blocked or was blocked. A request that ends a block may not be answered yet, so nobody leaves the set. */
  readonly inBlocks = new Set<MixPerson>();
  readonly posts: { readonly author: MixPerson; readonly id: string }[] = [];
}

/** The people and the number of posts that requests are about. */
export interface MixSubjects {
  /** The most active first. */
  readonly people: readonly MixPerson[];
  readonly posts: number;
  readonly editors: readonly Editor[];
}

export function homeRequest({ id, token }: MixPerson): string {
  const path = `/2/users/${id}/timelines/reverse_chronological?max_results=20&${FIELDS}`;
  return getRequest(path, HOST, `Bearer ${token}`);
}

/** Returns a request for the newest post of the world. */
export function singleRequest({ people, posts }: Pick<MixSubjects, 'people' | 'posts'>): string {
  return getRequest(`/2/tweets/${postId(posts - 1)}?${FIELDS}`, HOST, bearer(people[0] as MixPerson));
}

/** Generates the requests of a mix; draws are the same for the same seed. */
export class MixRequests {
  readonly #random: () => number;
  readonly #rank: () => number;
  readonly #age: () => number;
  readonly #text: () => string;
  readonly #word: () => string;
  readonly #kind: () => Kind;
  #count = 0;

  constructor(
    private readonly subjects: MixSubjects,
    private readonly state: MixState,
    shares: Shares,
    private readonly seed: number,
  ) {
    const { people, posts } = subjects;
    this.#random = seeded(seed);
    this.#rank = zipf(people.length, this.#random);
    this.#age = zipf(posts, this.#random);
    this.#text = textSource(
      people.map(({ username }) => username),
      this.#random,
    );
    this.#word = wordSource(this.#random);
    this.#kind = kindSource(shares, this.#random);
  }

  next(): MixRequest {
    return this.#make(this.#kind());
  }

  #make(kind: Kind): MixRequest {
    const { state } = this;
    switch (kind) {
      case 'home':
        return { kind, text: homeRequest(this.#anyone()) };
      case 'user':
        return this.#userPage();
      case 'single':
        return this.#get(kind, `/2/tweets/${this.#anyPost()}?${FIELDS}`, this.#anyone());
      case 'plain':
        return this.#get(kind, `/2/tweets/${this.#anyPost()}`, this.#anyone());
      case 'signed':
        return { kind, text: signedGet(`/2/tweets/${this.#anyPost()}`, HOST, OAUTH1_KEYS) };
      case 'lookup':
        return this.#lookup();
      case 'search':
        return this.#search();
      case 'followers':
        return this.#followers();
      case 'profile':
        return this.#profile();
      case 'post':
        return this.#post();
      case 'delete':
        return this.#delete();
      case 'like':
        return this.#like();
      case 'follow':
      case 'unfollow':
        return this.#relate(kind, 'following', state.follows);
      case 'block':
      case 'unblock':
        return this.#relate(kind, 'blocking', state.blocks);
    }
  }

  #like(): MixRequest {
    const user = this.#anyone();
    const request = this.#send('like', user, 'likes', { tweet_id: this.#anyPost() });
    return { ...request, mayBeRefused: this.state.inBlocks.has(user) };
  }

  #userPage(): MixRequest {
    const [reader, author] = this.#pair();
    return this.#get('user', `/2/users/${author.id}/tweets?max_results=20&${FIELDS}`, reader);
  }

  #lookup(): MixRequest {
    const ids = new Set<string>();
    while (ids.size < LOOKUP_SIZE) ids.add(this.#anyPost());
    return this.#get('lookup', `/2/tweets?ids=${[...ids].join(',')}&${ALL_FIELDS}`, this.#anyone());
  }

  #search(): MixRequest {
    const query = this.#random() < 0.3 ? `${this.#queryWord()} ${this.#queryWord()}` : this.#queryWord();
    const path = `/2/tweets/search/all?query=${encodeURIComponent(query)}&start_time=${SINCE}&max_results=20&${FIELDS}`;
    return { kind: 'search', text: getRequest(path, HOST, `Bearer ${APP_BEARER}`) };
  }

  /** Returns a word that is not an operator of the query language. */
  #queryWord(): string {
    const word = this.#word();
    return OPERATORS.has(word) ? this.#queryWord() : word;
  }

  #followers(): MixRequest {
    const [reader, user] = this.#pair();
    return this.#get('followers', `/2/users/${user.id}/followers?max_results=100&${USER_FIELDS}`, reader);
  }

  #profile(): MixRequest {
    const { editors } = this.subjects;
    const editor = editors[Math.floor(this.#random() * editors.length)];
    if (!editor) throw new Error('nobody is signed in');
    return { kind: 'profile', text: profileRequest(editor, this.#text().slice(0, MAX_DESCRIPTION)) };
  }

  #post(): MixRequest {
    const author = this.#anyone();
    this.#count += 1;
    const text = `${this.#text().slice(0, MAX_TEXT)} ${this.seed}.${this.#count}`;
    return {
      kind: 'post',
      text: bodyRequest('POST', '/2/tweets', { host: HOST, authorization: bearer(author), body: { text } }),
      onAnswer: (answer) => {
        const id = /"id":"(\d+)"/.exec(answer.toString('latin1'))?.[1];
        if (id !== undefined) this.state.posts.push({ author, id });
      },
    };
  }

  /** Deletes the oldest post of the run, or posts when there is none. */
  #delete(): MixRequest {
    const own = this.state.posts.shift();
    if (!own) return this.#post();
    const authorization = bearer(own.author);
    return {
      kind: 'delete',
      text: bodyRequest('DELETE', `/2/tweets/${own.id}`, { host: HOST, authorization }),
    };
  }

  /** Creates a relation, or removes the oldest of `made`, if there is one and the kind says so. */
  #relate(kind: 'follow' | 'unfollow' | 'block' | 'unblock', list: string, made: Pair[]): MixRequest {
    const old = KINDS[kind].method === 'DELETE' ? made.shift() : undefined;
    if (old) return this.#send(kind, old[0], `${list}/${old[1].id}`);
    const [one, other] = this.#pair();
    const created = list === 'following' ? 'follow' : 'block';
    const { inBlocks } = this.state;
    if (created === 'block') inBlocks.add(one).add(other);
    return {
      ...this.#send(created, one, list, { target_user_id: other.id }),
      mayBeRefused: created === 'follow' && inBlocks.has(one),
      onAnswer: () => void made.push([one, other]),
    };
  }

  #get(kind: Kind, path: string, reader: MixPerson): MixRequest {
    return { kind, text: getRequest(path, HOST, bearer(reader)) };
  }

  #send(kind: Kind, sender: MixPerson, list: string, body?: object): MixRequest {
    const path = `/2/users/${sender.id}/${list}`;
    const options = { host: HOST, authorization: bearer(sender), body };
    return { kind, text: bodyRequest(KINDS[kind].method, path, options) };
  }

  #anyone(): MixPerson {
    return this.subjects.people[this.#rank()] as MixPerson;
  }

  #pair(): Pair {
    const [one, other] = [this.#anyone(), this.#anyone()];
    return one === other ? this.#pair() : [one, other];
  }

  /** Returns the id of a recent post of an active author, or of any post, newer ones more often. */
  #anyPost(): string {
    const { recent } = this.#anyone();
    const own = recent[Math.floor(this.#random() * recent.length)];
    const older = postId(this.subjects.posts - 1 - this.#age());
    return this.#random() < 0.5 ? (own ?? older) : older;
  }
}

function bearer({ token }: MixPerson): string {
  return `Bearer ${token}`;
}
