import type { Positioned } from '../../../query/conditions.js';
import type { RuleOnlyPredicate, RulePredicate } from '../../../query/rule-conditions.js';
import { only, type Selection } from '../../../query/selection.js';
import { FACET } from '../../search/facets.js';
import { facets, partOf, phrase, type PlanLeaf } from '../../search/plan-leaves.js';
import type { QueryNames } from '../../search/query-names.js';

/** A leaf of a rule: one of search, or a condition that is checked on the post. */
export type RuleLeaf =
  | PlanLeaf
  | Extract<RuleOnlyPredicate, { readonly kind: 'near' | 'address-part' | 'author-count' }>;

/** Prefixes for the tokens of profiles and links, so that words of the text do not match them. */
export const TEXT_PREFIX = {
  bio: 'bio:',
  name: 'bio_name:',
  location: 'bio_location:',
  title: 'url_title:',
  description: 'url_description:',
} as const;

/** Returns what facets name a user by. Posts have it beside the id, so that rules need no lookup when names change. */
export function usernameKey(username: string): string {
  return `@${username.toLowerCase()}`;
}

/** Rules name users as they are written, and Lists by their ids. */
const RULE_NAMES: QueryNames = {
  userKey: (user) => (user.by === 'id' ? user.id : usernameKey(user.username)),
  members: (listId) => [FACET.list(listId)],
};

/** Returns the part of a rule for one of its conditions. */
export function rulePartOf(condition: Positioned<RulePredicate>): Selection<RuleLeaf> {
  const { kind } = condition;
  if (kind === 'near' || kind === 'address-part' || kind === 'author-count') return only(condition);
  if (kind === 'profile' || kind === 'link') return phrase(TEXT_PREFIX[condition.part], condition.phrase);
  if (kind === 'source') return facets(FACET.source(condition.name));
  // There are no affiliates.
  if (kind === 'affiliate') return facets();
  return partOf(condition, RULE_NAMES);
}
