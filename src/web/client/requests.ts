/** Asks the server for a part of a page instead of a redirect to the whole. Throws `Refused`. */
export async function sendForPart(
  form: HTMLFormElement,
  submitter: HTMLButtonElement,
  part: string,
): Promise<string> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') body.append(name, value);
  const answer = await fetch(submitter.formAction, {
    method: 'POST',
    body,
    headers: { 'pipit-part': part, accept: 'text/html' },
    redirect: 'manual',
  });
  if (!answer.ok) throw new Refused(answer.status, await answer.text());
  return answer.text();
}

/** A refusal of the server; 0 for a redirect, which leads to a sign-in. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    page: string,
  ) {
    super(reasonOf(page));
  }
}

function reasonOf(page: string): string {
  const text =
    new DOMParser().parseFromString(page, 'text/html').querySelector('main .card p')?.textContent ?? '';
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the first element of a markup. */
export function elementOf(markup: string): HTMLElement | undefined {
  const { body } = new DOMParser().parseFromString(markup, 'text/html');
  const { firstElementChild: first } = body;
  return first instanceof HTMLElement ? document.adoptNode(first) : undefined;
}
