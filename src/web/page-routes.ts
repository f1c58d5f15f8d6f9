import { withMembers } from '../core/with-members.js';
import type { Answer } from '../http/answer.js';
import type { ShowProblem } from '../http/exchange.js';
import type { PlainRequest, PlainRoute } from '../http/plain-route.js';
import {
  MAX_FILE_FORM_BYTES,
  readFileForm,
  readStrangersForm,
  type FileForm,
  type SentFile,
} from './file-form.js';
import { createFileSlots } from './file-slots.js';
import { forReader } from './reader-locale.js';
import { staleFormPage } from './stale-form.js';
import {
  isSignedIn,
  openVisit,
  redirect,
  type FormVisit,
  type SignedInVisit,
  type Visit,
  type VisitDeps,
} from './visit.js';

/** The maximum size of a form; larger bodies are refused unread. */
const MAX_FORM_BYTES = 64 * 1024;

export type PageHandler<V> = (visit: V) => Answer | Promise<Answer>;

/**
 * Creates routes for pages. Errors of a handler are shown as a page with the problem's status. Forms without a valid
 * CSRF token are answered with 403.
 */
export interface PageRoutes {
  /** A page for everyone. */
  readonly show: (path: string, handler: PageHandler<Visit>) => PlainRoute;
  /** A form for everyone. */
  readonly accept: (path: string, handler: PageHandler<FormVisit>) => PlainRoute;
  /** A page for signed-in users; others are redirected to sign in first. */
  readonly showToUser: (path: string, handler: PageHandler<SignedInVisit>) => PlainRoute;
  /** A form for signed-in users. */
  readonly acceptFromUser: (path: string, handler: PageHandler<SignedInVisit<FormVisit>>) => PlainRoute;
  /**
   * A form for signed-in users that may have files. `showStale` answers one without a valid CSRF token, whose sender may
   * be signed out and whose files are dropped; by default it is `staleFormPage`.
   */
  readonly acceptFilesFromUser: (
    path: string,
    handler: PageHandler<SignedInVisit<FileVisit>>,
    showStale?: PageHandler<FileVisit>,
  ) => PlainRoute;
}

/** A form request that may have files. */
export interface FileVisit extends FormVisit {
  /** The files, to which the values of the form's file fields are indexes. */
  readonly files: readonly SentFile[];
}

export function createPageRoutes(deps: VisitDeps & { readonly showProblem: ShowProblem }): PageRoutes {
  const route = (method: 'GET' | 'POST', path: string, handle: PlainRoute['handler']): PlainRoute => ({
    method,
    path,
    maxBodyBytes: MAX_FORM_BYTES,
    showProblem: deps.showProblem,
    handler: handle,
  });
  const visited = async (request: PlainRequest, handler: PageHandler<Visit>): Promise<Answer> => {
    const { visit, finish } = await openVisit(deps, request);
    return finish(await forReader(request.headers, () => handler(visit)));
  };
  const proven = async (request: PlainRequest, handler: PageHandler<FormVisit>): Promise<Answer> => {
    const { visit, isProven, finish } = await openVisit(deps, request);
    const answer = isProven ? handler : staleFormPage;
    return finish(await forReader(request.headers, () => answer(visit)));
  };
  const slots = createFileSlots();
  const withFiles = async (
    request: PlainRequest,
    handler: PageHandler<FileVisit>,
    showStale: PageHandler<FileVisit>,
  ): Promise<Answer> => {
    let form: FileForm | undefined;
    let giveBack: (() => void) | undefined;
    try {
      const { visit, isProven, finish } = await openVisit(deps, request, async (sent, viewer, isProvenBy) => {
        if (!viewer) return readStrangersForm(sent);
        form = await readFileForm(sent, (fields) => {
          if (!isProvenBy(fields)) return false;
          giveBack ??= slots.take(viewer.user.id);
          return true;
        });
        return form.fields;
      });
      const answer = isProven ? handler : showStale;
      const files = form?.files ?? [];
      return finish(await forReader(request.headers, () => answer(withMembers(visit, { files }))));
    } finally {
      await form?.[Symbol.asyncDispose]();
      giveBack?.();
    }
  };
  return {
    show: (path, handler) => route('GET', path, (request) => visited(request, handler)),
    accept: (path, handler) => route('POST', path, (request) => proven(request, handler)),
    showToUser: (path, handler) => route('GET', path, (request) => visited(request, ofUser(handler))),
    acceptFromUser: (path, handler) => route('POST', path, (request) => proven(request, ofUser(handler))),
    acceptFilesFromUser: (path, handler, showStale = staleFormPage) => ({
      ...route('POST', path, (request) => withFiles(request, ofUser(handler), showStale)),
      maxBodyBytes: MAX_FILE_FORM_BYTES,
      streamed: true,
    }),
  };
}

function ofUser<V extends Visit>(handler: PageHandler<SignedInVisit<V>>): PageHandler<V> {
  return (visit) => (isSignedIn(visit) ? handler(visit) : signInFirst(visit));
}

/** The parameters of the sign-in page. */
export interface SignInOptions {
  /** The path to return to. */
  readonly next: string;
  /** The expected user. */
  readonly username?: string;
  /** Asks for the password even if the user is signed in. */
  readonly again?: boolean;
}

/** Redirects to the sign-in page, which returns to the current page. */
export function signInFirst({ request }: Visit, options: Partial<SignInOptions> = {}): Answer {
  return redirect(signInPath({ next: request.url, ...options }));
}

/** Returns the path of the sign-in page. */
export function signInPath({ next, username, again }: SignInOptions): string {
  const query = new URLSearchParams({ next });
  if (username !== undefined) query.set('username', username);
  if (again === true) query.set('again', '1');
  return `/sign-in?${query.toString()}`;
}
