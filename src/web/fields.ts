import { Html, html } from '../api/reference/html.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../services/accounts/account-rules.js';

/** Validation errors by field name. */
export type Faults = ReadonlyMap<string, string>;

type TextType = 'text' | 'password' | 'url' | 'email' | 'number' | 'search' | 'date' | 'datetime-local';

/** A single-line input. */
export interface TextField {
  /** The name of the form field. */
  readonly name: string;
  /** Default: the name. Needed on pages with two fields of the same name. */
  readonly id?: string;
  readonly label: string;
  /** Default: text. */
  readonly type?: TextType | 'file';
  readonly value?: string;
  /** The media types of a file. */
  readonly accept?: string;
  readonly hint?: Html | string;
  /** The validation error of the entered value. */
  readonly fault?: string;
  /** An HTML autofill name. */
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly autofocus?: boolean;
}

/** Returns a labelled input with its hint and error, which are linked for screen readers. */
export function textField(field: TextField): Html {
  const { name, id = name, label, type = 'text', value, hint, fault, autocomplete, maxLength } = field;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      ${attribute('value', value)}
      ${attribute('accept', field.accept)}
      ${attribute('autocomplete', autocomplete)}
      ${attribute('maxlength', maxLength)}
      ${attribute('aria-describedby', describedBy(field))}
      ${fault !== undefined && attribute('aria-invalid', 'true')}
      ${field.required === true && REQUIRED}
      ${field.autofocus === true && AUTOFOCUS}
      ${isName(field) && NO_CORRECTION}
      ${type === 'text' && !isName(field) && OWN_DIRECTION}
    />
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
  </div>`;
}

/** Returns the field for the user's current password. */
export function currentPasswordField(field: Partial<TextField> = {}): Html {
  return textField({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    maxLength: MAX_PASSWORD_LENGTH,
    ...field,
  });
}

/** Returns the field for a new password, named `password`. */
export function newPasswordField(faults: Faults, label = 'New password'): Html {
  return currentPasswordField({
    label,
    autocomplete: 'new-password',
    fault: faults.get('password'),
    hint: `At least ${MIN_PASSWORD_LENGTH} characters. Several words are easy to remember.`,
  });
}

/** A checkbox; `value` is submitted when it is checked. */
export interface CheckboxField {
  readonly name: string;
  readonly label: string;
  /** Default: `yes`. */
  readonly value?: string;
  readonly checked: boolean;
}

export function checkbox({ name, label, value = 'yes', checked }: CheckboxField): Html {
  return choice('checkbox', name, label, value, checked);
}

/** Radio buttons. The choices are the labels by value, in order. */
export interface RadioField {
  readonly name: string;
  readonly legend: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly chosen: string | undefined;
}

export function radios({ name, legend, choices, chosen }: RadioField): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    ${Object.entries(choices).map(([value, label]) => choice('radio', name, label, value, value === chosen))}
  </fieldset>`;
}

/** Returns a list to choose a value from. Choices are values, with what is shown if that is not the value. */
export function selectField(
  name: string,
  label: string,
  choices: readonly (string | readonly [value: string, shown: string])[],
  chosen: string | undefined,
): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${choices.map((each) => {
        const [value, shown] = typeof each === 'string' ? [each, each] : each;
        return html`<option value="${value}" ${value === chosen && SELECTED}>${shown}</option>`;
      })}
    </select>
  </div>`;
}

/** Returns a multi-line text field. */
export function textArea(field: Omit<TextField, 'type'>): Html {
  const { name, id = name, label, value = '', hint, fault, maxLength } = field;
  const described = describedBy(field);
  // HTML drops a line break directly after the tag, so an extra one preserves the text's own.
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea
      id="${id}"
      name="${name}"
      dir="auto"
      ${attribute('maxlength', maxLength)}
      ${attribute('aria-describedby', described)}
      ${fault !== undefined && attribute('aria-invalid', 'true')}
    >
${value}</textarea>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
  </div>`;
}

/** Returns a labelled input for a picture: `accept` has the media types that it takes, separated by commas. */
export function pictureField(
  field: Pick<TextField, 'name' | 'label' | 'fault' | 'hint'> & { readonly accept: string },
): Html {
  return textField({ ...field, id: `${field.name}-file`, type: 'file' });
}

/** Returns a message box; bad messages are announced at once by screen readers. */
export function note(kind: 'good' | 'bad', text: string | Html): Html {
  return html`<div class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}"><p>${text}</p></div>`;
}

const REQUIRED = new Html('required');
const AUTOFOCUS = new Html('autofocus');
const CHECKED = new Html('checked');
const SELECTED = new Html('selected');
const OWN_DIRECTION = new Html('dir="auto"');
const NO_CORRECTION = new Html('autocapitalize="none" spellcheck="false"');

function isName({ autocomplete }: TextField): boolean {
  return autocomplete === 'username';
}

function choice(
  type: 'checkbox' | 'radio',
  name: string,
  label: string,
  value: string,
  checked: boolean,
): Html {
  const id = `${name}-${value}`;
  return html`<div class="choice">
    <input type="${type}" id="${id}" name="${name}" value="${value}" ${checked && CHECKED} />
    <label for="${id}">${label}</label>
  </div>`;
}

function attribute(name: string, value: string | number | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : html`${new Html(name)}="${value}"`;
}

function describedBy({ name, id = name, hint, fault }: TextField): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`];
  return ids.filter((id) => id !== false).join(' ') || undefined;
}
