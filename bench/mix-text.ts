import { zipf } from './zipf.js';

const WORDS =
  `the of and to in is on it with as for was at by this that from we have not you are but they our new about one
  time more out so up what when people today just like now see good day work year first night city still long after
  great morning read here music think back home week water made coffee train summer book light window garden friend
  rain market paper radio open river small house story late photo green bread street old little quiet north winter
  walking station football kitchen weather question project harbour library museum election concert recipe mountain`
    .split(/\s+/)
    .filter((word) => word !== '');

const TAGS = [
  'news',
  'photography',
  'music',
  'football',
  'reading',
  'coffee',
  'openscience',
  'travel',
  'rstats',
];
const SITES = ['example.com', 'news.example.org', 'blog.example.net', 'photos.example.com'];
/** Characters beyond Latin-1, which a few posts have. */
const SYMBOLS = ['🎉', '😀', '🌧️', '東京タワー', '“quoted”', 'Привет', '👍🏽'];

const LEAST_WORDS = 5;
const MOST_WORDS = 30;

/** Returns a generator of words, the frequent ones more often. */
export function wordSource(random: () => number): () => string {
  const rank = zipf(WORDS.length, random, 3);
  return () => WORDS[rank()] ?? '';
}

/** Returns a generator of post texts with words, mentions, links and hashtags; `usernames` are the most mentioned first. */
export function textSource(usernames: readonly string[], random: () => number): () => string {
  const word = wordSource(random);
  const person = zipf(usernames.length, random);
  const anyOf = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? '';
  return () => {
    const length = LEAST_WORDS + Math.floor(random() * (MOST_WORDS - LEAST_WORDS));
    const parts = Array.from({ length }, word);
    const insert = (part: string): void => void parts.splice(Math.floor(random() * parts.length), 0, part);
    for (let chance = 0.3; random() < chance; chance = 0.25) insert(`@${usernames[person()]}`);
    for (let chance = 0.25; random() < chance; chance = 0.3) insert(`#${anyOf(TAGS)}`);
    if (random() < 0.03) insert(anyOf(SYMBOLS));
    if (random() < 0.02) insert('R&D');
    if (random() < 0.25) parts.push(`https://${anyOf(SITES)}/${anyOf(WORDS)}/${Math.floor(random() * 1e6)}`);
    return parts.join(' ');
  };
}
