import { html, type Html } from '../../../api/reference/html.js';
import type { Answer } from '../../../http/answer.js';
import {
  DEFAULT_NAME,
  type InstanceFacts,
  LOGO_PATH,
  LOGO_SIDES,
  MAX_INSTANCE_DESCRIPTION,
  MAX_INSTANCE_NAME,
} from '../../../services/instance/instance.js';
import { LOGO_FIELD } from '../../file-form.js';
import { boundFields, doneAt, doneNote, faultsIn, NO_FAULTS, partFaultNote, statusOf } from '../../forms.js';
import { checkbox, pictureField, type Faults } from '../../fields.js';
import type { FileVisit } from '../../page-routes.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { operatorPage, PATHS } from './operator-pages.js';

const DONE = { saved: 'Saved.' } as const;

const REMOVE = `${LOGO_FIELD}_remove`;

/** The name, the description and the logo of the server. A refused part leaves what was typed in the others. */
export const instanceRoutes: CreateRoutes = (pages, context) => {
  const { instance } = context;
  const show = async (visit: SignedInVisit, faults: Faults, form?: URLSearchParams): Promise<Answer> =>
    operatorPage(
      visit,
      { title: 'This server', current: PATHS.instance, status: statusOf(faults) },
      html`${doneNote(visit, DONE)} ${partFaultNote(faults)}
      ${instanceForm(visit, await instance.describe(), faults, form)}`,
    );
  return [
    pages.showToUser(PATHS.instance, (visit) => show(visit, NO_FAULTS)),
    pages.acceptFilesFromUser(PATHS.instance, async (visit) => {
      const faults = new Map([
        ...(await faultsIn(() => changeWords(visit, context))),
        ...(await faultsIn(() => changeLogo(visit, context))),
      ]);
      if (faults.size > 0) return show(visit, faults, visit.form);
      return visit.goTo(doneAt(PATHS.instance, 'saved'));
    }),
  ];
};

/** Saves name and description, also unchanged ones: whoever saves the default name has named the server. */
async function changeWords(
  { form, files, viewer }: SignedInVisit<FileVisit>,
  { instance }: WebContext,
): Promise<void> {
  const field = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  const words = { name: field('name') || DEFAULT_NAME, description: field('description') };
  const { name, description } = await instance.describe();
  const isSame = words.name === name && words.description === description;
  const isAboutLogo = files.length > 0 || form.has(REMOVE);
  if (!isSame || !isAboutLogo) await instance.change(viewer.user.id, words);
}

async function changeLogo(
  { form, files, viewer }: SignedInVisit<FileVisit>,
  { instance, media }: WebContext,
): Promise<void> {
  const sent = files[Number(form.get(LOGO_FIELD) ?? NaN)];
  if (sent) {
    const { path: file, sizeBytes } = sent;
    await instance.changeLogo(viewer.user.id, await media.checkPicture({ file, sizeBytes }, LOGO_FIELD));
  } else if (form.has(REMOVE)) await instance.changeLogo(viewer.user.id, undefined);
}

function instanceForm(
  visit: Visit,
  { logoUrl, ...facts }: InstanceFacts,
  faults: Faults,
  form?: URLSearchParams,
): Html {
  const values = {
    name: form?.get('name') ?? facts.name,
    description: form?.get('description') ?? facts.description,
  };
  const { text, area } = boundFields(values, faults);
  return html`<form class="card" method="post" action="${PATHS.instance}" enctype="multipart/form-data">
    ${visit.csrfField()}
    ${text('name', 'Name', {
      hint: `Shown at the top of every page, and below the icon where people install it as an app. At most ${MAX_INSTANCE_NAME} characters.`,
      required: true,
    })}
    ${area('description', 'Description', {
      hint: `What this server is for and whom it is for. At most ${MAX_INSTANCE_DESCRIPTION} characters.`,
    })}
    ${logoUrl !== undefined && html`<p><img class="logo" src="${LOGO_PATH}" alt="Logo of ${facts.name}" /></p>`}
    ${pictureField({
      name: LOGO_FIELD,
      label: logoUrl === undefined ? 'Logo' : 'New logo',
      accept: 'image/png,image/jpeg,image/webp',
      hint: `A square of ${LOGO_SIDES.min} to ${LOGO_SIDES.max} pixels, as PNG, JPEG or WebP.`,
      fault: faults.get(LOGO_FIELD),
    })}
    ${logoUrl !== undefined && checkbox({ name: REMOVE, label: 'Remove the logo', checked: false })}
    <div class="actions"><button>Save</button></div>
  </form>`;
}
