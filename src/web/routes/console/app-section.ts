import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { parseId, type AppId } from '../../../core/ids.js';
import type { OwnApp } from '../../../services/apps/own-apps.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { sectionPage } from '../../section-page.js';
import type { Visit } from '../../visit.js';

/** The tabs of an app: the last part of their path, and their label. */
const TABS = {
  overview: ['', 'Overview'],
  keys: ['/keys', 'Keys and tokens'],
  settings: ['/settings', 'Settings'],
  webhooks: ['/webhooks', 'Webhooks'],
  requests: ['/requests', 'Requests'],
  usage: ['/usage', 'Usage'],
} as const satisfies Record<string, readonly [path: string, label: string]>;

export type AppTab = keyof typeof TABS;

/** Returns the path of a tab of an app. */
export function appPath({ id }: Pick<OwnApp, 'id'>, tab: AppTab = 'overview'): string {
  return `${CONSOLE_PATH}/${String(id)}${TABS[tab][0]}`;
}

/** Returns the app id in the path; undefined when it is malformed. */
export function appIdOf({ request }: Visit): AppId | undefined {
  return parseId<AppId>(request.path['id'] ?? '');
}

export interface AppPageOptions {
  readonly tab: AppTab;
  /** Default: 200. */
  readonly status?: number;
  readonly script?: string;
}

/** Returns a tab of an app. */
export function appPage(
  visit: Visit,
  app: OwnApp,
  { tab, status, script }: AppPageOptions,
  body: Html,
): Answer {
  const [, label] = TABS[tab];
  const links = Object.entries(TABS).map(([name, [, text]]) => ({
    path: appPath(app, name as AppTab),
    label: text,
  }));
  return sectionPage(
    visit,
    {
      label: 'App',
      links,
      above: html`<a href="${CONSOLE_PATH}">Your apps</a> / <strong>${app.name}</strong>`,
    },
    { title: `${label} of ${app.name}`, heading: label, current: appPath(app, tab), status, script },
    body,
  );
}
