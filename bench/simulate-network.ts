import type { Random } from '../src/core/seeded-random.js';
import { weighted } from './zipf.js';

/** How a simulated network is made. */
export interface NetworkShape {
  readonly users: number;
  /** The mean number of accounts that a user follows, and so of followers. */
  readonly follows: number;
  /** The exponent of the density of followers: 2.276 on Twitter in 2009 (Kwak and others, WWW 2010). */
  readonly exponent: number;
  /** Posts by all users in a day, for each user. */
  readonly postsPerUser: number;
  /** How much more those with many followers post: rates grow with followers to this power. */
  readonly activity: number;
}

/** The most that one user follows. */
const MOST_FOLLOWS = 5_000;

/** The spread of the rates of posts among users with as many followers: the deviation of their logarithm. */
const RATE_SPREAD = 1.5;

/** A network that does not store its follows: it draws them when a simulation needs them. */
export interface Network {
  /** The number of followers of each user. */
  readonly followers: Uint32Array;
  /** Posts a day of each user. */
  readonly posts: Float32Array;
  /** Draws the author of a post. */
  readonly drawAuthor: () => number;
  /** Draws the accounts that a user follows. */
  readonly drawFollows: () => ReadonlySet<number>;
}

/** Creates a network of the shape; `random` returns numbers from 0 to below 1. */
export function createNetwork(shape: NetworkShape, random: Random): Network {
  const { users } = shape;
  const followers = new Uint32Array(users);
  const posts = new Float32Array(users);
  const drawFollowers = powerLaw(shape.follows, shape.exponent, users - 1, random);
  let total = 0;
  for (let user = 0; user < users; user += 1) {
    const count = Math.round(drawFollowers());
    const rate = Math.max(1, count) ** shape.activity * Math.exp(RATE_SPREAD * normal(random));
    followers[user] = count;
    posts[user] = rate;
    total += rate;
  }
  const scale = (shape.postsPerUser * users) / total;
  for (let user = 0; user < users; user += 1) posts[user] = (posts[user] ?? 0) * scale;
  const drawFollowed = weighted(followers, random);
  const drawCount = powerLaw(shape.follows, 2.6, MOST_FOLLOWS, random);
  return {
    followers,
    posts,
    drawAuthor: weighted(posts, random),
    drawFollows: () => new Set(Array.from({ length: Math.round(drawCount()) }, drawFollowed)),
  };
}

/**
 * Returns a generator of numbers with a power law of this exponent (above 2), cut at `most`, whose mean is `mean`
 * before the cut.
 */
function powerLaw(mean: number, exponent: number, most: number, random: Random): () => number {
  const tail = exponent - 1;
  const least = (mean * (tail - 1)) / tail;
  return () => Math.min(most, least * (1 - random()) ** (-1 / tail));
}

/** Returns a number with a normal distribution around 0 (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
