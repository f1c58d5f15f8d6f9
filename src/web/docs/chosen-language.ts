import { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import type { CookieJar } from '../cookies.js';
import type { Visit } from '../visit.js';
import { languageOf, type Language } from './code/languages.js';

const COOKIE = 'pipit_language';
const YEAR_SECONDS = 365 * 24 * 3600;

/** The language of examples, which a reader chooses once: a link has it in its query, and a cookie keeps it. */
export class ChosenLanguage {
  constructor(private readonly cookies: CookieJar) {}

  /** Returns the language of a page's examples. */
  of({ request, query }: Visit): Language {
    const kept = this.cookies.read(request.headers.cookie, COOKIE);
    return languageOf(query.get('language') ?? '') ?? languageOf(kept ?? '') ?? 'curl';
  }

  /** Returns the route of a page that keeps the language that its address names. */
  keptBy(route: PlainRoute): PlainRoute {
    return {
      ...route,
      handler: async (request) => {
        const answer = await route.handler(request);
        const language = languageOf(new URLSearchParams(request.rawQuery).get('language') ?? '');
        return language === undefined ? answer : this.#kept(answer, language);
      },
    };
  }

  #kept({ status, body, headers }: Answer, language: Language): Answer {
    const cookie = this.cookies.write(COOKIE, language, YEAR_SECONDS);
    const others = [headers['set-cookie'] ?? []].flat();
    return new Answer(status, body, { ...headers, 'set-cookie': [...others, cookie] });
  }
}
