import { TWEET_EXPANSIONS } from '../src/api/params/fields.js';
import { countedPost, getRequest, type RequestPlan } from './requests.js';
import { BEARER, OAUTH1, postId, USER_TOKEN } from './world.js';

export const CASE_NAMES = ['post', 'posts', 'create', 'signed'] as const;
export type CaseName = (typeof CASE_NAMES)[number];

/** A measured case with the targets of docs/performance.md. */
export interface BenchCase {
  readonly name: CaseName;
  readonly title: string;
  readonly connections: number;
  readonly status: number;
  /** `first` differs per round, so that no text is repeated. */
  plan(first: number): RequestPlan;
  /** The least share of the yardstick’s rate. */
  readonly yardstickTarget?: number;
  /** The least share of the rate of bare commits on the same disk, which are measured if it is given. */
  readonly commitsTarget?: number;
}

const HOST = 'bench.example';
const CONNECTIONS = 32;
const LOOKUP_SIZE = 100;
/** An original post without attachments. */
const PLAIN_POST = 8;

const FIELDS = {
  'tweet.fields':
    'attachments,author_id,context_annotations,conversation_id,created_at,edit_controls,entities,geo,in_reply_to_user_id,' +
    'lang,possibly_sensitive,public_metrics,referenced_tweets,reply_settings,source,withheld',
  'user.fields':
    'created_at,description,entities,location,pinned_tweet_id,profile_image_url,protected,public_metrics,url,verified,withheld',
  'media.fields': 'alt_text,duration_ms,height,preview_image_url,public_metrics,url,variants,width',
  'poll.fields': 'duration_minutes,end_datetime,voting_status',
  'place.fields': 'contained_within,country,country_code,geo,name,place_type',
};

export const CASES: readonly BenchCase[] = [
  {
    name: 'post',
    title: 'one post by id, bearer token',
    connections: CONNECTIONS,
    status: 200,
    plan: () => get(`/2/tweets/${postId(PLAIN_POST)}`),
    yardstickTarget: 0.5,
  },
  {
    name: 'posts',
    title: '100 posts by ids, all expansions and fields',
    connections: CONNECTIONS,
    status: 200,
    plan: () => get(`/2/tweets?${everyQuery()}`),
  },
  {
    name: 'create',
    title: 'POST /2/tweets, durable, OAuth 2.0 token',
    connections: CONNECTIONS,
    status: 201,
    plan: (first) => countedPost('/2/tweets', HOST, `Bearer ${USER_TOKEN}`, first),
    commitsTarget: 1 / 3,
  },
  {
    name: 'signed',
    title: 'one post by id, OAuth 1.0a signature',
    connections: CONNECTIONS,
    status: 200,
    plan: () => ({ kind: 'signed', path: `/2/tweets/${postId(PLAIN_POST)}`, host: HOST, keys: OAUTH1 }),
  },
];

function get(path: string): RequestPlan {
  return { kind: 'same', text: getRequest(path, HOST, `Bearer ${BEARER}`) };
}

function everyQuery(): string {
  const ids = Array.from({ length: LOOKUP_SIZE }, (_, index) => postId(index * 7));
  const lists = { ids: ids.join(','), expansions: TWEET_EXPANSIONS.join(','), ...FIELDS };
  return Object.entries(lists)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}
