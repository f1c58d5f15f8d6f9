import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import type { CodePlace } from '../code-view.js';

/** What a guide is written for: the reader, this server, and the language of its examples. */
export interface GuideReader {
  readonly visit: Visit;
  readonly context: WebContext;
  readonly place: CodePlace;
}
