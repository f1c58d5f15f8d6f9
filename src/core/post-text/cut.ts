import type { TextEntities } from './extract.js';
import { endOfWeight } from './length.js';

/**
 * Returns the longest beginning of a text that weighs at most `maxWeight` and splits neither an entity nor a visible
 * character, without white space at its end. Only a text that starts with an entity too long for this splits it.
 */
export function beginningOf(text: string, entities: TextEntities, maxWeight: number): string {
  const characters = Array.from(text.slice(0, endOfWeight(text, maxWeight)));
  const end = characters.length;
  const all = [entities.urls, entities.hashtags, entities.mentions, entities.cashtags].flat();
  const split = all.find((entity) => entity.start > 0 && entity.start < end && entity.end > end);
  return characters.slice(0, split?.start).join('').trimEnd();
}
