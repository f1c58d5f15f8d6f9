import { element } from '../element.js';
import type { Shortcut } from './key-map.js';

/** Whether single keys do anything. */
interface Switch {
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

/** Shows which keys do what, until the dialog is closed. */
export function showKeyMap(shortcuts: readonly Shortcut[], keys: Switch): void {
  const dialog = element('dialog', 'keys');
  const title = element('h2', '', 'Keyboard');
  title.id = 'keys-title';
  dialog.setAttribute('aria-labelledby', title.id);
  const list = element('dl');
  for (const { keys: sequence, words } of [...shortcuts, { keys: '?', words: 'This map (also Ctrl + /)' }]) {
    const name = element('dt');
    name.append(...sequence.split(' ').map((key) => element('kbd', '', key)));
    const row = element('div');
    row.append(name, element('dd', '', words));
    list.append(row);
  }
  const form = element('form');
  form.method = 'dialog';
  form.append(element('button', 'plain', 'Close'));
  dialog.append(title, list, switchOf(keys), form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function switchOf({ isOn, set }: Switch): HTMLElement {
  const line = element('p', 'choice');
  const box = element('input');
  box.type = 'checkbox';
  box.id = 'keys-on';
  box.checked = isOn;
  box.addEventListener('change', () => set(box.checked));
  const label = element('label', '', 'Single keys act');
  label.htmlFor = box.id;
  line.append(box, label);
  return line;
}
