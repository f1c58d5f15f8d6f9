import { unescapeText } from '../core/post-text/escape.js';
import { asObject, asObjects, asText, type WireObject } from '../archive/wire-json.js';

/** Returns the object of the whole text: of a long post, its note. */
function wholeOf(post: WireObject): WireObject {
  const note = asObject(post.note_tweet);
  return typeof note?.text === 'string' ? note : post;
}

/** The attachments of a post that add a link to its text. */
export interface Attached {
  readonly hasMedia: boolean;
  /** The quoted post. */
  readonly quotedId: string | undefined;
}

/**
 * Returns the text of a post as its author typed it: without the links that a server adds at its end for these
 * attachments. Handles at the beginning of a reply stay.
 */
export function typedText(post: WireObject, attached: Attached): string {
  const whole = wholeOf(post);
  let text = unescapeText(asText(whole.text) ?? '');
  for (const url of addedLinks(post, whole, attached)) {
    if (text.endsWith(url)) text = text.slice(0, -url.length).trimEnd();
  }
  return text;
}

/** Returns the links that were added, last first. */
function addedLinks(post: WireObject, whole: WireObject, { hasMedia, quotedId }: Attached): string[] {
  const entities = [post.entities, whole.entities].flatMap((each) => asObjects(asObject(each)?.urls));
  const added = entities.filter(({ media_key, expanded_url }) => {
    const target = String(expanded_url);
    if (media_key !== undefined || /\/(?:photo|video)\/1$/.test(target)) return hasMedia;
    return quotedId !== undefined && target.includes(`/status/${quotedId}`);
  });
  const urls = added.flatMap(({ url }) => (typeof url === 'string' && url !== '' ? [url] : []));
  return [...new Set(urls)].reverse();
}

/** Returns the id of the post that this one replies to, quotes or reposts. */
export function referenceTo(
  { referenced_tweets }: WireObject,
  type: 'replied_to' | 'quoted' | 'retweeted',
): string | undefined {
  const found = asObjects(referenced_tweets).find((reference) => reference.type === type);
  return typeof found?.id === 'string' ? found.id : undefined;
}

/** Returns the usernames that a text mentions, in lower case. */
export function mentionedIn(text: string): Set<string> {
  return new Set([...text.matchAll(/[@＠]([A-Za-z0-9_]{1,15})/g)].map(([, name = '']) => name.toLowerCase()));
}
