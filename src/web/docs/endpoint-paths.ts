import type { AnyEndpoint } from '../../api/endpoint.js';
import { ENDPOINTS_PATH } from './docs-page.js';

/** Returns the path of an endpoint's page. */
export function endpointPath({ operationId }: Pick<AnyEndpoint, 'operationId'>): string {
  return `${ENDPOINTS_PATH}/${operationId}`;
}

/** Returns the anchor of a group in the list of endpoints. */
export function tagAnchor(tag: string): string {
  return `tag-${tag.replaceAll(/\W+/g, '-')}`;
}

/** Endpoints with one tag. */
export interface Group {
  readonly tag: string;
  readonly endpoints: readonly AnyEndpoint[];
}

/** Returns endpoints by their tags, in the order of the catalogue. */
export function groupByTag(endpoints: readonly AnyEndpoint[]): Group[] {
  const groups = new Map<string, AnyEndpoint[]>();
  for (const each of endpoints) {
    const group = groups.get(each.tag) ?? [];
    group.push(each);
    groups.set(each.tag, group);
  }
  return [...groups].map(([tag, members]) => ({ tag, endpoints: members }));
}
