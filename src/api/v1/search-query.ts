/** Translates searches of v1.1 into the query language (docs/api/v1.md#search). */

/** Values of `filter:` and `exclude:`, and the operators that mean the same; empty if it has no effect. */
const FILTERS = new Map([
  ['retweets', 'is:retweet'],
  ['nativeretweets', 'is:retweet'],
  ['replies', 'is:reply'],
  ['quote', 'is:quote'],
  ['verified', 'is:verified'],
  ['media', 'has:media'],
  ['images', 'has:images'],
  ['twimg', 'has:images'],
  ['videos', 'has:videos'],
  ['native_video', 'has:videos'],
  ['links', 'has:links'],
  ['hashtags', 'has:hashtags'],
  ['mentions', 'has:mentions'],
  ['safe', ''],
]);

/** Operators of v1.1 with another name, and those that are the same. */
const RENAMED = new Map([
  ['min_faves', 'min_likes'],
  ['min_retweets', 'min_reposts'],
  ['min_replies', 'min_replies'],
]);

/** Matches quoted texts, closed or not, and words, up to white space and brackets. Takes linear time. */
const WORDS = /"(?:\\.|[^"\\])*(?:"|\\?$)|[^\s()"]+/gs;

/** Matches a date of `since:` and `until:`. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the query of a v1.1 search, with its language and circle as operators, and the dates of `since:` and `until:`
 * in it. What it does not know stays as written; the service refuses it.
 */
export function translateSearch(
  q: string,
  { lang, geocode }: { readonly lang?: string; readonly geocode?: string },
) {
  const dates: { since?: string; until?: string } = {};
  const translated = q.replace(WORDS, (word) => {
    const [, date, value = ''] = /^(since|until):(.+)$/i.exec(word) ?? [];
    if (date === undefined || !DATE.test(value)) return translateWord(word);
    dates[date.toLowerCase() as 'since' | 'until'] = value;
    return '';
  });
  const more = [lang === undefined ? '' : `lang:${lang}`, circleOf(geocode)].filter((term) => term !== '');
  const words = translated.replace(/\s+/g, ' ').trim();
  const grouped = more.length > 0 && /\bOR\b/.test(words) ? `(${words})` : words;
  return { ...dates, query: [grouped, ...more].filter((term) => term !== '').join(' ') };
}

function translateWord(word: string): string {
  const [, minus = '', name = '', value = ''] = /^(-?)(\w+):(.+)$/.exec(word) ?? [];
  const operator = name.toLowerCase();
  if (operator === 'filter' || operator === 'include' || operator === 'exclude') {
    const filter = FILTERS.get(value.toLowerCase());
    if (filter === undefined) return word;
    if (filter === '' || operator === 'include') return '';
    return `${(minus === '-') === (operator === 'exclude') ? '' : '-'}${filter}`;
  }
  const renamed = RENAMED.get(operator);
  return renamed === undefined ? word : `${minus}${renamed}:${value}`;
}

/** Returns the operator of `latitude,longitude,radius`. */
function circleOf(geocode: string | undefined): string {
  if (geocode === undefined) return '';
  const [latitude = '', longitude = '', radius = ''] = geocode.split(',').map((part) => part.trim());
  return `point_radius:[${longitude} ${latitude} ${radius}]`;
}
