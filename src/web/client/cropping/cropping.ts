import { element } from '../element.js';
import { CropWindow } from './crop-window.js';

/** What the server takes (docs/api/media.md#limits); it checks again. */
const MAX_BYTES = 5 * 1024 * 1024;

/** How far an arrow key moves the part, as a share of its size, and how much a key zooms. */
const STEP = 0.05;
const ZOOM_STEP = 1.1;

/** The keys that move the part, and where to. */
const MOVES: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const ZOOMS: Readonly<Record<string, number>> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP };

/** Lets people choose the part of a picture that its form sends. */
export function enhanceCropping(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-shape]')) {
    const input = place.querySelector<HTMLInputElement>('input[type=file]');
    input?.addEventListener('change', () => void choose(place, input));
    // A browser keeps the chosen file when one comes back to the page.
    if (input && (input.files?.length ?? 0) > 0) void choose(place, input);
  }
}

/** Shows the chosen file in the part of the form that its input is in. */
async function choose(place: HTMLElement, input: HTMLInputElement): Promise<void> {
  place.querySelector('.cropper')?.remove();
  place.querySelector('.fault')?.remove();
  input.removeAttribute('aria-invalid');
  const file = input.files?.[0];
  if (!file) return;
  if (file.size > MAX_BYTES) return refuse(input, 'This file has more than 5 MB. Choose a smaller one.');
  const image = new Image();
  image.alt = '';
  image.draggable = false;
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } catch {
    return refuse(input, 'This file is not a picture that can be shown here. Choose another one.');
  } finally {
    URL.revokeObjectURL(image.src);
  }
  // Another file may have been chosen meanwhile.
  if (input.files?.[0] === file) showCropper(place, input, image);
}

function refuse(input: HTMLInputElement, reason: string): void {
  input.value = '';
  input.setAttribute('aria-invalid', 'true');
  const fault = element('p', 'fault', reason);
  fault.role = 'alert';
  input.after(fault);
}

function showCropper(place: HTMLElement, input: HTMLInputElement, image: HTMLImageElement): void {
  const shape = Number(place.dataset['shape']);
  const part = new CropWindow({ width: image.naturalWidth, height: image.naturalHeight }, shape);
  const cropper = element('div', 'cropper');
  const frame = element('div', shape === 1 ? 'crop round' : 'crop');
  frame.tabIndex = 0;
  frame.role = 'application';
  frame.ariaLabel = 'The part to show. Arrow keys move it, plus and minus zoom.';
  frame.append(image);
  const slider = zoomSlider(input.id, part);
  const fields = ['width', 'height', 'offset_left', 'offset_top'].map((name) => {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = `${input.name}_${name}`;
    return field;
  });
  const hint = element('p', 'hint', 'Drag the picture to choose what is shown.');
  cropper.append(frame, slider.row, hint, ...fields);
  (input.closest('.field') ?? input).after(cropper);

  const draw = (): void => {
    const { left, top, width, height } = part.part();
    const scale = frame.clientWidth / width;
    image.style.transform = `scale(${scale}) translate(${-left}px, ${-top}px)`;
    slider.input.value = String(part.zoom);
    for (const [at, value] of [width, height, left, top].entries()) {
      const field = fields[at];
      if (field) field.value = String(value);
    }
  };
  slider.input.oninput = () => {
    part.zoomTo(Number(slider.input.value));
    draw();
  };
  enableKeys(frame, part, draw);
  enableDragging(frame, part, draw);
  new ResizeObserver(draw).observe(frame);
  draw();
  frame.focus();
}

function zoomSlider(id: string, { maxZoom }: CropWindow) {
  const row = element('div', 'zoom');
  const label = element('label', '', 'Zoom');
  label.htmlFor = `${id}-zoom`;
  const input = document.createElement('input');
  input.id = label.htmlFor;
  input.type = 'range';
  input.min = '1';
  input.max = String(maxZoom);
  input.step = '0.01';
  input.disabled = maxZoom === 1;
  row.append(label, input);
  return { row, input };
}

function enableKeys(frame: HTMLElement, part: CropWindow, draw: () => void): void {
  frame.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const move = MOVES[key];
    const zoom = ZOOMS[key];
    if (move) part.move(...move);
    else if (zoom !== undefined) part.zoomTo(part.zoom * zoom);
    else return;
    // Neither the page nor its other keys move.
    event.preventDefault();
    event.stopPropagation();
    draw();
  });
}

/** One pointer moves the picture; the distance of two zooms it. */
function enableDragging(frame: HTMLElement, part: CropWindow, draw: () => void): void {
  const pointers = new Map<number, { x: number; y: number }>();
  const distance = (): number => {
    const [one, other] = [...pointers.values()];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
  };
  frame.onpointerdown = ({ pointerId, clientX: x, clientY: y }) => {
    frame.setPointerCapture(pointerId);
    pointers.set(pointerId, { x, y });
  };
  frame.onpointermove = ({ pointerId, clientX, clientY }) => {
    const last = pointers.get(pointerId);
    if (!last) return;
    const before = distance();
    part.move(
      (last.x - clientX) / frame.clientWidth / pointers.size,
      (last.y - clientY) / frame.clientHeight / pointers.size,
    );
    pointers.set(pointerId, { x: clientX, y: clientY });
    if (before > 0) part.zoomTo((part.zoom * distance()) / before);
    draw();
  };
  frame.onpointerup = ({ pointerId }) => void pointers.delete(pointerId);
  frame.onpointercancel = frame.onpointerup;
  frame.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      part.zoomTo(part.zoom * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP));
      draw();
    },
    { passive: false },
  );
}
