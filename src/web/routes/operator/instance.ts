import { html, type Html } from '../../../api/reference/html.js';
import { invalidRequest } from '../../../core/errors.js';
import type { Answer } from '../../../http/answer.js';
import {
  DEFAULT_NAME,
  type InstanceFacts,
  LOGO_PATH,
  LOGO_SIDES,
  MAX_INSTANCE_DESCRIPTION,
  MAX_INSTANCE_NAME,
} from '../../../services/instance/instance.js';
import { FILE_FIELD } from '../../file-form.js';
import { attempt, boundFields, doneAt, doneNote, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import type { Faults } from '../../fields.js';
import type { FileVisit } from '../../page-routes.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { operatorPage, PATHS } from './operator-pages.js';

const LOGO_FORM = `${PATHS.instance}/logo`;

const DONE = { saved: 'Saved.', logo: 'The logo was changed.', removed: 'The logo was removed.' } as const;

/** The name, the description and the logo of the server. */
export const instanceRoutes: CreateRoutes = (pages, context) => {
  const { instance } = context;
  const show = async (visit: SignedInVisit, faults: Faults, form?: URLSearchParams): Promise<Answer> => {
    const facts = await instance.describe();
    return operatorPage(
      visit,
      { title: 'This server', current: PATHS.instance, status: statusOf(faults) },
      html`${doneNote(visit, DONE)} ${faultNote(faults)} ${wordsForm(visit, facts, faults, form)}
      ${logoForm(visit, facts, faults)}`,
    );
  };
  return [
    pages.showToUser(PATHS.instance, (visit) => show(visit, NO_FAULTS)),
    pages.acceptFromUser(PATHS.instance, (visit) => {
      const field = (name: string) => (visit.form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
      return attempt(
        () =>
          instance.change(visit.viewer.user.id, {
            name: field('name') || DEFAULT_NAME,
            description: field('description'),
          }),
        (faults) => show(visit, faults, visit.form),
        () => visit.goTo(doneAt(PATHS.instance, 'saved')),
      );
    }),
    pages.acceptFilesFromUser(LOGO_FORM, (visit) =>
      attempt(
        () => changeLogo(visit, context),
        (faults) => show(visit, faults),
        (what) => visit.goTo(doneAt(PATHS.instance, what)),
      ),
    ),
  ];
};

async function changeLogo(
  { form, files, viewer }: SignedInVisit<FileVisit>,
  { instance, media }: WebContext,
): Promise<keyof typeof DONE> {
  if (form.has('remove')) {
    await instance.changeLogo(viewer.user.id, undefined);
    return 'removed';
  }
  const [sent] = files;
  if (!sent) throw invalidRequest(FILE_FIELD, [], 'Choose a picture.');
  const { path: file, sizeBytes } = sent;
  await instance.changeLogo(viewer.user.id, await media.checkPicture({ file, sizeBytes }, FILE_FIELD));
  return 'logo';
}

function wordsForm(visit: Visit, facts: InstanceFacts, faults: Faults, form?: URLSearchParams): Html {
  const values = {
    name: form?.get('name') ?? facts.name,
    description: form?.get('description') ?? facts.description,
  };
  const { text, area } = boundFields(values, faults);
  return html`<form class="card" method="post" action="${PATHS.instance}">
    ${visit.csrfField()}
    ${text('name', 'Name', {
      hint: `Shown at the top of every page, and below the icon where people install it as an app. At most ${MAX_INSTANCE_NAME} characters.`,
      required: true,
    })}
    ${area('description', 'Description', {
      hint: `What this server is for and whom it is for. At most ${MAX_INSTANCE_DESCRIPTION} characters.`,
    })}
    <div class="actions"><button>Save</button></div>
  </form>`;
}

function logoForm(visit: Visit, { logoUrl, name }: InstanceFacts, faults: Faults): Html {
  const fault = faults.get(FILE_FIELD);
  const hint = `A square of ${LOGO_SIDES.min} to ${LOGO_SIDES.max} pixels, as PNG, JPEG or WebP.`;
  return html`<form class="card" method="post" action="${LOGO_FORM}" enctype="multipart/form-data">
    ${visit.csrfField()}
    <h2>Logo</h2>
    ${logoUrl !== undefined && html`<p><img class="logo" src="${LOGO_PATH}" alt="Logo of ${name}" /></p>`}
    <div class="field">
      <label for="logo">Picture</label>
      <input
        id="logo"
        name="${FILE_FIELD}"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby="logo-hint"
      />
      <p class="hint" id="logo-hint">${hint}</p>
      ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    </div>
    <div class="actions">
      <button>Upload</button>
      ${logoUrl !== undefined && html`<button class="plain" name="remove" value="yes">Remove the logo</button>`}
    </div>
  </form>`;
}
