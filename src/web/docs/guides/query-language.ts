import { html, type Html } from '../../../api/reference/html.js';
import {
  EXPLAINED_TERMS,
  explainedOperators,
  type ExplainedOperator,
} from '../../../query/explained-operators.js';
import type { Operator } from '../../../query/operator-set.js';
import { RULE_LANGUAGE } from '../../../query/rule-operators.js';
import { SEARCH_LANGUAGE } from '../../../query/search-operators.js';
import { points, textTable } from '../../lists.js';
import { codeView } from '../code-view.js';
import { exampleRequest } from '../code/example-request.js';
import { ENDPOINTS_PATH } from '../docs-page.js';
import type { GuideReader } from './guide.js';

/** Returns the guide to the language of search, counts and rules of streams. */
export function queryLanguageGuide({ context: { endpoints, publicUrl: baseUrl }, place }: GuideReader): Html {
  const search = endpoints.find(({ operationId }) => operationId === 'tweetsRecentSearch');
  return html`<p class="lead">
      One language says which posts are meant: in search, in counts, and in
      <a href="/explore">the search of this site</a>.
    </p>
    ${search && codeView(exampleRequest(search, { baseUrl }), place)}
    <h2>Words and groups</h2>
    ${exampleTable(EXPLAINED_TERMS.map(([example, meaning]) => [example, html`${meaning}`]))} ${points(RULES)}
    <h2>Operators</h2>
    <p>
      An operator has a colon and its value, without a space between them. A minus before it excludes what it
      finds.
    </p>
    ${exampleTable(
      explainedOperators(SEARCH_LANGUAGE.operators).map((each) => [each.operator.example, explanation(each)]),
    )}
    <h2>Which posts a query finds</h2>
    ${points(MATCHING)}
    <h2>Rules of streams</h2>
    <p>
      Rules of the <a href="${ENDPOINTS_PATH}/addOrDeleteRules">filtered stream</a> are written in the same
      language, without minimums of counts, and have more operators.
    </p>
    ${exampleTable(
      RULE_OPERATORS.map((each) => [each.operator.example, explanation(each)]),
      false,
    )}`;
}

const RULES = [
  'Every part of a query needs a positive term that may stand alone.',
  'Single quotes do not quote. To search for AND, and or or as words, put them in double quotes.',
  'A query has up to 512 characters, with the track of academic research 1,024.',
];

const MATCHING = [
  'Case and accents do not matter.',
  'A repost is found by the text of its original; a quoted post’s text is not searched.',
  'Posts of protected and suspended accounts are never found.',
  'Recent search reaches back seven days, full-archive search to the first post.',
];

/** The operators of rules that searches do not have. */
const RULE_OPERATORS = explainedOperators(RULE_LANGUAGE.operators).filter(
  ({ names: [name = ''] }) => !SEARCH_LANGUAGE.operators.has(name),
);

/** Returns examples with what they find; each is a link to its search unless only rules have it. */
function exampleTable(rows: readonly (readonly [example: string, meaning: Html])[], isLinked = true): Html {
  const query = (example: string): Html =>
    isLinked
      ? html`<a href="/search?${new URLSearchParams({ q: example }).toString()}"><code>${example}</code></a>`
      : html`<code>${example}</code>`;
  return textTable(
    ['Query', 'Finds'],
    rows.map(([example, meaning]) => [query(example), meaning]),
  );
}

function explanation<P>({ names: [, ...others], operator }: ExplainedOperator<P>): Html {
  const notes = notesOf(operator);
  return html`${operator.meaning}${operator.values && html`: ${valueList(operator)}`}
  ${others.length > 0 && html`<p class="hint">Also ${others.map((each) => html`<code>${each}:</code> `)}</p>`}
  ${notes.length > 0 && html`<p class="hint">${notes.join(' ')}</p>`}`;
}

function valueList<P>({ values = new Map() }: Operator<P>): Html[] {
  return [...values].map(([value, { advanced, only }], index) => {
    const mark = only === 'negated' ? ' (only with a minus)' : advanced === true ? ' (elevated)' : '';
    return html`${index > 0 && ', '}<code>${value}</code>${mark}`;
  });
}

function notesOf<P>({ standalone, advanced, onlyIn }: Operator<P>): string[] {
  return [
    ...(standalone ? [] : ['Needs another term beside it.']),
    ...(advanced === true ? ['Needs elevated access or the track of academic research.'] : []),
    ...(onlyIn === 'recent' ? ['Recent search only.'] : []),
  ];
}
