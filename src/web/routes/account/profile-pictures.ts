import { html, type Html } from '../../../api/reference/html.js';
import { PICTURE_KINDS, type PictureKind } from '../../../core/profile-picture.js';
import type { User } from '../../../core/user.js';
import { accountPicture } from '../../account-picture.js';
import { fileBody } from '../../api/file-body.js';
import { checkbox, pictureField, type Faults } from '../../fields.js';
import { faultsIn } from '../../forms.js';
import type { FileVisit } from '../../page-routes.js';
import { bannerImage } from '../../posts/masthead.js';
import type { SignedInVisit } from '../../visit.js';

interface PictureForm {
  readonly title: string;
  readonly operation: string;
  readonly hint: string;
  /** The width of the shape divided by its height. */
  readonly shape: number;
}

const FORMS: Readonly<Record<PictureKind, PictureForm>> = {
  picture: {
    title: 'Picture',
    operation: 'ProfilePicture',
    hint: 'Shown as a circle beside your posts.',
    shape: 1,
  },
  banner: {
    title: 'Banner',
    operation: 'ProfileBanner',
    hint: 'Shown above your profile, three times as wide as high.',
    shape: 3,
  },
};

const LIMITS = 'JPEG, PNG, GIF or WebP, at most 5 MB.';

/** What the part to show is called in the API, and in the form after the name of the picture. */
const PART = ['width', 'height', 'offset_left', 'offset_top'];

/** Changes and removes the pictures of the user as a form says. Returns why one was refused, by its kind. */
export async function changePictures(visit: SignedInVisit<FileVisit>): Promise<Faults> {
  const faults = new Map<string, string>();
  for (const kind of PICTURE_KINDS) {
    const found = await faultsIn(() => change(visit, kind));
    if (found.size > 0) faults.set(kind, [...found.values()].join(' '));
  }
  return faults;
}

async function change({ form, files, api }: SignedInVisit<FileVisit>, kind: PictureKind): Promise<void> {
  const { operation } = FORMS[kind];
  const file = files[Number(form.get(kind) ?? NaN)];
  if (file) {
    const part = PART.map((name) => [name, form.get(`${kind}_${name}`) || undefined] as const);
    await api.call(`change${operation}`, Object.fromEntries(part), fileBody('image', file.path));
  } else if (form.has(`${kind}_remove`)) await api.call(`remove${operation}`);
}

/** Returns the fields for the picture and the banner of the user. */
export function pictureFields({ viewer: { user } }: SignedInVisit, faults: Faults): Html {
  return html`${PICTURE_KINDS.map((kind) => pictureOf(user, kind, faults.get(kind)))}`;
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

function pictureOf(user: User, kind: PictureKind, fault: string | undefined): Html {
  const { title, hint, shape } = FORMS[kind];
  return html`<div class="picture-form" data-shape="${shape}">
    <h2>${title}</h2>
    <div class="current">${currentOf(user, kind) ?? html`<p class="no-banner">No banner</p>`}</div>
    ${pictureField({
      name: kind,
      label: kind === 'picture' ? 'New picture' : 'New banner',
      accept: 'image/jpeg,image/png,image/gif,image/webp',
      hint: html`${hint} ${LIMITS}<noscript> Its middle is shown.</noscript>`,
      fault,
    })}
    ${hasOwn(user, kind) && checkbox({ name: `${kind}_remove`, label: `Remove the ${kind}`, checked: false })}
  </div>`;
}
