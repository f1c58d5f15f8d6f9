import { html } from '../../../api/reference/html.js';
import { DEFAULT_APPEARANCE, TEXT_SIZES, THEMES } from '../../appearance.js';
import { checkbox, radios } from '../../fields.js';
import type { CreateRoutes } from '../../web-context.js';
import { accountForm, PATHS } from './account-section.js';

/** Settings for how this browser shows pages. */
export const appearanceRoutes: CreateRoutes = (pages) =>
  accountForm(pages, {
    path: PATHS.appearance,
    title: 'Appearance',
    done: { saved: 'This browser shows pages so from now on.' },
    body: ({ csrfField, appearance: { theme, textSize, isStill } }, notes) =>
      html`${notes}
        <p class="lead">These settings are for this browser only.</p>
        <form class="card" method="post" action="${PATHS.appearance}">
          ${csrfField()}
          ${radios({
            name: 'theme',
            legend: 'Colours',
            choices: { system: 'As on this device', light: 'Light', dark: 'Dark', contrast: 'High contrast' },
            chosen: theme,
          })}
          ${radios({
            name: 'text_size',
            legend: 'Size of text',
            choices: { small: 'Small', normal: 'Normal', large: 'Large', largest: 'Largest' },
            chosen: textSize,
          })}
          <fieldset>
            <legend>Motion</legend>
            ${checkbox({ name: 'still', label: 'Reduce motion', checked: isStill })}
            <p class="hint">Motion is also reduced when this device asks for it.</p>
          </fieldset>
          <div class="actions"><button>Save</button></div>
        </form>`,
    submit: ({ form, changeAppearance }) => {
      changeAppearance({
        theme: THEMES.find((each) => each === form.get('theme')) ?? DEFAULT_APPEARANCE.theme,
        textSize: TEXT_SIZES.find((each) => each === form.get('text_size')) ?? DEFAULT_APPEARANCE.textSize,
        isStill: form.has('still'),
      });
      return Promise.resolve('saved');
    },
  });
