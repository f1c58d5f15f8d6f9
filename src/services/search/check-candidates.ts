import type { PostId } from '../../core/ids.js';
import { firstVersionId, NO_POST_COUNTS } from '../../core/post.js';
import type { Selection } from '../../query/selection.js';
import type { Queryable } from '../../database/engine.js';
import { findPostCounts, findPosts } from '../../stores/posts.js';
import { type Candidate, candidateOf, holds, passes } from './candidate.js';
import { documentOf, loadSearchable } from './document.js';
import { indexable } from './post-terms.js';
import type { PlanLeaf } from './plan-leaves.js';

/** Returns the candidates that match, in their order. */
export async function checkCandidates(
  db: Queryable,
  query: Selection<PlanLeaf>,
  ids: readonly PostId[],
): Promise<PostId[]> {
  if (ids.length === 0) return [];
  const stored = await findPosts(db, ids);
  const posts = [...stored.values()].map((post) => indexable(post));
  const counted = new Map([...stored].map(([id, post]) => [id, firstVersionId(post)]));
  const counts = await findPostCounts(db, [...counted.values()]);
  const matching = new Set<PostId>();
  for (const searchable of await loadSearchable(db, posts)) {
    const { id } = searchable.post;
    const candidate = candidateOf(
      searchable,
      documentOf(searchable),
      counts.get(counted.get(id) ?? id) ?? NO_POST_COUNTS,
    );
    if (matches(candidate, query)) matching.add(id);
  }
  return ids.filter((id) => matching.has(id));
}

function matches(candidate: Candidate, query: Selection<PlanLeaf>): boolean {
  switch (query.kind) {
    case 'only':
      return fulfils(candidate, query.leaf);
    case 'all':
      return query.of.every((part) => matches(candidate, part));
    case 'any':
      return query.of.some((part) => matches(candidate, part));
    case 'except':
      return matches(candidate, query.from) && !matches(candidate, query.without);
  }
}

function fulfils(candidate: Candidate, leaf: PlanLeaf): boolean {
  switch (leaf.kind) {
    case 'phrase':
      return holds(candidate, leaf);
    case 'facets':
      return leaf.anyOf.some((facet) => candidate.facets.has(facet));
    case 'checked':
      return passes(candidate, leaf.condition);
  }
}
