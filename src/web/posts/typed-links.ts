import { escapeText, unescapeText } from '../../core/post-text/escape.js';
import { findUrls } from '../../core/post-text/urls.js';
import type { WireEntities } from '../api/objects.js';

/** Adds the links that were typed in a text to its entities. Those of messages have only the links to their files. */
export function withTypedLinks(wireText: string, entities: WireEntities = {}): WireEntities {
  const { urls = [] } = entities;
  const text = unescapeText(wireText);
  // Entities count the code points of the escaped text.
  let [units, points] = [0, 0];
  const onWire = (unit: number): number => {
    points += [...escapeText(text.slice(units, unit))].length;
    units = unit;
    return points;
  };
  const typed = findUrls(text).map(({ start, end }) => {
    const url = text.slice(start, end);
    const expanded = /^https?:\/\//i.test(url) ? url : `https://${url}`;
    return { start: onWire(start), end: onWire(end), url, expanded_url: expanded };
  });
  const known = new Set(urls.map(({ start }) => start));
  return { ...entities, urls: [...urls, ...typed.filter(({ start }) => !known.has(start))] };
}
