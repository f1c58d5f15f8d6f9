import {
  articleMedia,
  type ArticleBlock,
  type ArticleContent,
  type ArticleInput,
} from '../../core/article.js';
import { refuseViolations, violation, type Violation } from '../../core/errors.js';
import { ARTICLE_LIMITS } from '../../core/limits.js';
import { hasInvalidCharacters } from '../../core/post-text/normalize.js';
import { countCodePoints } from '../../core/unicode.js';

const INVALID = 'contains characters that are not allowed';

/** The most violations that are reported of one article. */
const MAX_REPORTED = 20;

/**
 * Checks what the shape of an article's body does not show (docs/api/posts.md#articles): sizes, and that every range
 * lies within its text and names an entity. Throws 'invalid-request' with the violations.
 */
export function refuseContent(input: ArticleInput): void {
  const violations = [...sizeViolations(input), ...rangeViolations(input.content)];
  refuseViolations(violations.slice(0, MAX_REPORTED));
}

function sizeViolations({ title, content, coverMediaId }: ArticleInput): Violation[] {
  const violations: Violation[] = [];
  const refuse = (path: string, message: string): void => {
    violations.push(violation(path, [], `${path}: ${message}`));
  };
  if (title === '') refuse('$.title', 'must not be blank');
  if (hasInvalidCharacters(title)) refuse('$.title', INVALID);
  for (const [index, { text }] of content.blocks.entries()) {
    if (hasInvalidCharacters(text)) refuse(`$.content_state.blocks[${index}].text`, INVALID);
  }
  for (const [index, { value }] of content.entities.entries()) {
    const { caption = '', markdown = '' } = value.data;
    if (hasInvalidCharacters(caption + markdown)) refuse(`$.content_state.entities[${index}]`, INVALID);
  }
  const { characters, markdown, media } = ARTICLE_LIMITS;
  const lengths = content.blocks.map(({ text }) => countCodePoints(text));
  if (sum(lengths) > characters) {
    refuse('$.content_state.blocks', `the texts may only be ${characters} characters long together`);
  }
  const sources = content.entities.map(({ value }) => countCodePoints(value.data.markdown ?? ''));
  if (sum(sources) > markdown) {
    refuse('$.content_state.entities', `the Markdown may only be ${markdown} characters long together`);
  }
  if (plainLength(content, sources) > characters + markdown) {
    refuse('$.content_state.blocks', 'repeat too much Markdown');
  }
  if (articleMedia({ content, coverMediaId }).length > media) {
    refuse('$.content_state.entities', `may only have ${media} media`);
  }
  return violations;
}

/**
 * Returns the number of characters of `plainArticle` without its line breaks. The text itself may be far too long to be
 * made: each of many ranges may refer to the same Markdown. `sources` are the lengths of the entities' Markdown.
 */
function plainLength({ blocks, entities }: ArticleContent, sources: readonly number[]): number {
  const lengths = blocks.map(({ text, entity_ranges: ranges = [] }) => {
    const named = ranges.filter(({ key }) => entities[key]?.value.data.markdown !== undefined);
    return named.length > 0 ? sum(named.map(({ key }) => sources[key] ?? 0)) : countCodePoints(text);
  });
  return sum(lengths);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function* rangeViolations({ blocks, entities }: ArticleContent): Generator<Violation> {
  for (const [index, block] of blocks.entries()) {
    const path = `$.content_state.blocks[${index}]`;
    for (const name of outOfText(block))
      yield violation(`${path}.${name}`, [], `${path}.${name}: is not within the text`);
    for (const [at, { key }] of (block.entity_ranges ?? []).entries()) {
      const name = `${path}.entity_ranges[${at}].key`;
      if (key >= entities.length) yield violation(name, [String(key)], `${name}: there is no such entity`);
    }
  }
}

/** Returns the ranges of a block that are not within its text. */
function outOfText({ text, data = {}, ...block }: ArticleBlock): string[] {
  const isOutside = (start: number, end: number): boolean => start > end || end > text.length;
  const ranges = (['inline_style_ranges', 'entity_ranges'] as const).flatMap((name) =>
    (block[name] ?? []).flatMap(({ offset, length }, at) =>
      isOutside(offset, offset + length) ? `${name}[${at}]` : [],
    ),
  );
  const spans = (['cashtags', 'hashtags', 'mentions', 'urls'] as const).flatMap((name) =>
    (data[name] ?? []).flatMap((span, at) =>
      isOutside(span.from_index, span.to_index) ? `data.${name}[${at}]` : [],
    ),
  );
  return [...ranges, ...spans];
}
