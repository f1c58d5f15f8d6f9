import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const FILE = join(import.meta.dirname, '..', 'examples', 'demo.json');

/** The files are part of a JSON document that every start with it reads. */
const MAX_BYTES = 3_000;

/** What each photo shows, by its media key: the inside of an SVG with the photo's size. */
const DRAWINGS: Readonly<Record<string, string>> = {
  // A single red rose in front of a green hedge.
  '3_501': `<rect width="480" height="320" fill="#2f5d3a"/><path d="M240 320V180" stroke="#1d3b22" stroke-width="10"/>
    <circle cx="240" cy="140" r="62" fill="#b3122b"/><circle cx="240" cy="140" r="38" fill="#d9304a"/><circle cx="240" cy="140" r="16" fill="#8a0d20"/>`,
  // A football pitch at dusk, the ball above the far goal.
  '3_502': `<rect width="480" height="270" fill="#35406b"/><rect y="150" width="480" height="120" fill="#3c7a3f"/>
    <path d="M190 150V100H290V150" fill="none" stroke="#fff" stroke-width="5"/><circle cx="262" cy="76" r="11" fill="#fff"/>`,
  // A grey cat asleep on a shelf between two books.
  '3_503': `<rect width="360" height="360" fill="#e9dcc3"/><rect y="270" width="360" height="24" fill="#8a5a33"/>
    <rect x="40" y="130" width="40" height="140" fill="#2c5f8a"/><rect x="284" y="150" width="36" height="120" fill="#a03a3a"/>
    <ellipse cx="185" cy="232" rx="88" ry="38" fill="#8d9298"/><circle cx="122" cy="222" r="30" fill="#8d9298"/>
    <path d="M100 204l4-26 18 16zM124 194l18-16 4 26z" fill="#8d9298"/><path d="M110 224h10M126 224h10" stroke="#40444a" stroke-width="3"/>`,
  // A small white ferry leaves the harbour under an orange sky.
  '3_504': `<rect width="640" height="360" fill="#f0933f"/><circle cx="480" cy="190" r="46" fill="#ffd27a"/>
    <rect y="210" width="640" height="150" fill="#27506b"/><path d="M210 214h210l-26 40H240z" fill="#fff"/>
    <rect x="262" y="178" width="100" height="36" fill="#fff"/><rect x="322" y="146" width="22" height="34" fill="#b33"/>`,
  // The wake of the ferry on calm water.
  '3_505': `<rect width="640" height="360" fill="#27506b"/><rect width="640" height="120" fill="#f2a65a"/>
    <path d="M320 120L180 360H260zM320 120L460 360H380z" fill="#cfe3ec"/>`,
  // A very long loaf with one candle, carried by four people.
  '3_506': `<rect width="640" height="240" fill="#bcd7e6"/><rect y="200" width="640" height="40" fill="#7d7d74"/>
    <rect x="60" y="92" width="520" height="34" rx="17" fill="#c98d4b"/><rect x="560" y="58" width="8" height="36" fill="#fff"/>
    <circle cx="564" cy="50" r="8" fill="#f6b52c"/>
    ${[120, 250, 380, 510].map((x) => `<circle cx="${x}" cy="144" r="14" fill="#5a3d2b"/><rect x="${x - 13}" y="158" width="26" height="46" fill="#324a7d"/>`).join('')}`,
};

/** A medium of the demo world. */
interface DemoMedia {
  readonly media_key: string;
  readonly width: number;
  readonly height: number;
  url: string;
  files?: readonly { readonly name: string; readonly data: string }[];
}

/** Draws the photos of the demo world into its file. Formatting the tree afterwards is up to the caller. */
async function drawPhotos(): Promise<void> {
  const world = JSON.parse(await readFile(FILE, 'utf8')) as { readonly media: readonly DemoMedia[] };
  for (const entry of world.media) {
    const { media_key: key, width, height } = entry;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${DRAWINGS[key]}</svg>`;
    const png = await sharp(Buffer.from(svg)).png({ palette: true, colours: 16, effort: 10 }).toBuffer();
    if (png.length > MAX_BYTES) throw new Error(`${key} has ${png.length} bytes`);
    // The names of served files have 32 characters.
    const name = `${key.split('_')[1]}/${`demo-${key}-`.padEnd(32, '0')}.png`;
    entry.url = `/media/${name}`;
    entry.files = [{ name, data: png.toString('base64') }];
  }
  await writeFile(FILE, JSON.stringify(world));
}

await drawPhotos();
