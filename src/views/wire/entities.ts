import { count, id, listOf, object, schemaOf, text, url } from '../../core/json-schema.js';

const span = { start: count, end: count };

const tag = object({ ...span, tag: text }, ['start', 'end', 'tag']);
const mention = object({ ...span, username: text, id }, ['start', 'end', 'username']);
const image = object({ url, width: count, height: count }, ['url']);
const link = object(
  {
    ...span,
    // As written in the text: it may lack a scheme.
    url: text,
    expanded_url: text,
    display_url: text,
    unwound_url: text,
    status: schemaOf('integer'),
    title: text,
    description: text,
    images: listOf(image),
    media_key: text,
  },
  ['start', 'end', 'url'],
);
const annotation = object({ ...span, probability: schemaOf('number'), type: text, normalized_text: text }, [
  'start',
  'end',
  'type',
  'normalized_text',
]);

const inText = {
  cashtags: listOf(tag),
  hashtags: listOf(tag),
  mentions: listOf(mention),
  urls: listOf(link),
};

/** Entities of a post (docs/api/objects.md#entities). */
export const entities = object({ annotations: listOf(annotation), ...inText });

/** Entities of the whole of a long post. */
export const noteEntities = object(inText);

/** Entities of a user's profile. */
export const userEntities = object({
  url: object({ urls: listOf(link) }),
  description: object(inText),
});
