import { MISSING_FEATURES, MISSING_OPERATIONS } from './operations.js';

export const INTRODUCTION =
  'Operations of the interface that this server does not implement. They answer 404 with a body that names the ' +
  'operation. Paths of `/1.1/` are not listed: `docs/api/v1.md` names those that are served.';

/** Returns the table as the text of `docs/not-implemented.md`. */
export function notImplementedMarkdown(): string {
  const groups = MISSING_OPERATIONS.map(
    ({ title, reason, operations }) =>
      `## ${title}\n\n${reason}\n\n${listOf(operations.map(({ method, path, summary }) => `\`${method} ${path}\`: ${summary}.`))}`,
  );
  const features = `## In operations that are served\n\n${listOf(MISSING_FEATURES)}`;
  return `${['# Not implemented', INTRODUCTION, ...groups, features].join('\n\n')}\n`;
}

function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
