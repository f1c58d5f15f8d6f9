import { html, type Html } from '../../../api/reference/html.js';
import { invalidRequest } from '../../../core/errors.js';
import { PICTURE_KINDS, type PictureKind } from '../../../core/profile-picture.js';
import type { User } from '../../../core/user.js';
import { accountPicture } from '../../account-picture.js';
import { fileBody } from '../../api/file-body.js';
import type { Faults } from '../../fields.js';
import { FILE_FIELD } from '../../file-form.js';
import { attempt, doneAt } from '../../forms.js';
import type { FileVisit, PageRoutes } from '../../page-routes.js';
import { bannerImage } from '../../posts/masthead.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import type { Answer } from '../../../http/answer.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import { PATHS } from './account-section.js';

interface PictureForm {
  readonly title: string;
  readonly operation: string;
  readonly hint: string;
  /** The width of the shape divided by its height. */
  readonly shape: number;
  /** The confirmations after a change and a removal. */
  readonly done: readonly [changed: string, removed: string];
}

const FORMS: Readonly<Record<PictureKind, PictureForm>> = {
  picture: {
    title: 'Picture',
    operation: 'ProfilePicture',
    hint: 'Shown as a circle beside your posts.',
    shape: 1,
    done: ['Your picture was changed.', 'Your picture was removed.'],
  },
  banner: {
    title: 'Banner',
    operation: 'ProfileBanner',
    hint: 'Shown above your profile, three times as wide as high.',
    shape: 3,
    done: ['Your banner was changed.', 'Your banner was removed.'],
  },
};

const LIMITS = 'JPEG, PNG, GIF or WebP, at most 5 MB.';

/** What the part to show is called in the form and in the API. */
const PART = ['width', 'height', 'offset_left', 'offset_top'];

/** The confirmations of the forms by name. */
export const PICTURES_DONE: Readonly<Record<string, string>> = Object.fromEntries(
  PICTURE_KINDS.flatMap((kind) => {
    const [changed, removed] = FORMS[kind].done;
    return [
      [kind, changed],
      [`no-${kind}`, removed],
    ];
  }),
);

/** A picture form whose file was refused. */
export interface RefusedPicture {
  readonly kind: PictureKind;
  readonly reason: string;
}

/** Returns the routes of the forms; `show` answers a refusal with their page. */
export function pictureRoutes(
  pages: PageRoutes,
  show: (visit: SignedInVisit, faults: Faults, refused: RefusedPicture) => Promise<Answer>,
): PlainRoute[] {
  return PICTURE_KINDS.map((kind) =>
    pages.acceptFilesFromUser(pathOf(kind), (visit) =>
      attempt(
        () => change(visit, kind),
        (faults) => show(visit, faults, { kind, reason: [...faults.values()].join(' ') }),
        (done) => visit.goTo(doneAt(PATHS.profile, done)),
      ),
    ),
  );
}

function pathOf(kind: PictureKind): string {
  return `${PATHS.profile}/${kind}`;
}

async function change({ form, files, api }: SignedInVisit<FileVisit>, kind: PictureKind): Promise<string> {
  const { operation } = FORMS[kind];
  if (form.has('remove')) {
    await api.call(`remove${operation}`);
    return `no-${kind}`;
  }
  const [file] = files;
  if (!file) throw invalidRequest(FILE_FIELD, [], 'Choose a picture first.');
  const part = PART.flatMap((name) => (form.get(name) ? [[name, form.get(name)] as const] : []));
  await api.call(`change${operation}`, Object.fromEntries(part), fileBody('image', file.path));
  return kind;
}

/** Returns the forms for the picture and the banner of the user. */
export function pictureForms(visit: SignedInVisit, refused?: RefusedPicture): Html {
  const { user } = visit.viewer;
  return html`${PICTURE_KINDS.map((kind) =>
    pictureForm(visit, kind, currentOf(user, kind), refused?.kind === kind ? refused.reason : undefined),
  )}`;
}

/** Returns what the profile shows now; undefined for a profile without a banner. */
function currentOf(user: User, kind: PictureKind): Html | undefined {
  if (kind === 'picture') {
    const path = accountPicture(user).replace('_normal.', '_200x200.');
    return html`<img class="face" src="${path}" width="200" height="200" alt="Your picture" />`;
  }
  const { profileBannerId, profileBannerUrl = '' } = user;
  if (profileBannerId === undefined) return undefined;
  return bannerImage(profileBannerUrl.slice(profileBannerUrl.indexOf('/media/')), 'Your banner');
}

function hasOwn(user: User, kind: PictureKind): boolean {
  return (kind === 'picture' ? user.profileImageUrl : user.profileBannerUrl) !== undefined;
}

function pictureForm(
  visit: Visit & SignedInVisit,
  kind: PictureKind,
  current: Html | undefined,
  fault: string | undefined,
): Html {
  const { title, hint, shape } = FORMS[kind];
  const id = `${kind}-file`;
  return html`<form
    class="card picture-form"
    method="post"
    action="${pathOf(kind)}"
    enctype="multipart/form-data"
    data-shape="${shape}"
  >
    ${visit.csrfField()}
    <h2>${title}</h2>
    <div class="current ${kind}">${current ?? html`<p class="no-banner">No banner</p>`}</div>
    <div class="field">
      <label for="${id}">${kind === 'picture' ? 'New picture' : 'New banner'}</label>
      <input
        id="${id}"
        name="${FILE_FIELD}"
        type="file"
        accept="image/jpeg,image/png,image/gif,image/webp"
        aria-describedby="${id}-hint${fault !== undefined && ` ${id}-fault`}"
        ${fault !== undefined && html`aria-invalid="true"`}
      />
      <p class="hint" id="${id}-hint">${hint} ${LIMITS}<noscript> Its middle is shown.</noscript></p>
      ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
    </div>
    <div class="actions">
      <button>Save</button>
      ${
        hasOwn(visit.viewer.user, kind) &&
        html`<button class="plain" name="remove" value="yes">Remove the ${kind}</button>`
      }
    </div>
  </form>`;
}
