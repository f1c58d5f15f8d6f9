/** How long a filter waits for the next key. */
const PAUSE_MS = 150;

/** Filters the list of endpoints as one types: the server filters, and this shows what it found. */
export function enhanceFilter(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-filter]');
  const list = document.querySelector('[data-filtered]');
  if (!form || !list) return;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void filter(form, list), PAUSE_MS);
  });
}

async function filter(form: HTMLFormElement, list: Element): Promise<void> {
  const query = String(new FormData(form).get('q') ?? '');
  const url = `${form.action}?${new URLSearchParams({ q: query }).toString()}`;
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  // A later key may have been answered first.
  if (query !== new FormData(form).get('q')) return;
  for (const part of ['[data-filtered]', '[data-filter-count]'])
    document.querySelector(part)?.replaceChildren(...(page.querySelector(part)?.childNodes ?? []));
  list.setAttribute('data-filtered', query);
  history.replaceState(undefined, '', query === '' ? form.action : url);
}
