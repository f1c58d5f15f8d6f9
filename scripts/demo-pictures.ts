import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const FILE = join(import.meta.dirname, '..', 'examples', 'demo.json');

/** The files are part of a JSON document that every start with it reads. */
const MAX_BYTES = { png: 3_000, jpg: 6_000 } as const;

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

/** The pictures of people by username, 256 pixels wide and high, and the banners of some, 900 by 300. */
const PICTURES: Readonly<Record<string, string>> = {
  // A captain's cap with an anchor.
  maya: `<rect width="256" height="256" fill="#2d6a8e"/><path d="M48 150q80-36 160 0l-10 34q-70-24-140 0z" fill="#14324a"/>
    <path d="M44 150Q30 78 128 70q98 8 84 80-84-36-168 0z" fill="#fff"/>
    <path d="M128 92v38M114 104h28M108 120q4 14 20 14t20-14" stroke="#d9a441" stroke-width="7" fill="none" stroke-linecap="round"/>`,
  // A round loaf with three cuts.
  lucia: `<rect width="256" height="256" fill="#f3e3c7"/><ellipse cx="128" cy="142" rx="88" ry="62" fill="#b9743a"/>
    <ellipse cx="128" cy="132" rx="88" ry="58" fill="#d99a55"/><path d="M84 116l28 36M114 104l28 40M146 102l26 36" stroke="#f6dcb1" stroke-width="9" stroke-linecap="round"/>`,
  // A camera.
  kenji: `<rect width="256" height="256" fill="#3b3f46"/><rect x="44" y="88" width="168" height="104" rx="14" fill="#17191c"/>
    <rect x="98" y="68" width="60" height="26" rx="6" fill="#17191c"/><circle cx="128" cy="140" r="40" fill="#c8ccd2"/>
    <circle cx="128" cy="140" r="28" fill="#284a63"/><circle cx="118" cy="130" r="8" fill="#fff"/><rect x="174" y="100" width="22" height="12" fill="#e0b04f"/>`,
  // A ringed planet among stars.
  amelie: `<rect width="256" height="256" fill="#1b1f4b"/><circle cx="128" cy="134" r="48" fill="#e8a86b"/>
    <ellipse cx="128" cy="134" rx="88" ry="20" fill="none" stroke="#f4d9b0" stroke-width="8" transform="rotate(-18 128 134)"/>
    <g fill="#fff"><circle cx="52" cy="58" r="4"/><circle cx="196" cy="50" r="5"/><circle cx="214" cy="206" r="4"/><circle cx="60" cy="206" r="3"/></g>`,
  // An oud seen from the front.
  omar: `<rect width="256" height="256" fill="#7a2e3a"/><ellipse cx="120" cy="156" rx="58" ry="70" fill="#c9853f"/>
    <rect x="108" y="28" width="24" height="72" fill="#5a3317"/><circle cx="120" cy="146" r="20" fill="#3b1f0d"/>
    <path d="M114 40v166M120 40v166M126 40v166" stroke="#f6e6c4" stroke-width="2"/>`,
  // An open book and a cup.
  soojin: `<rect width="256" height="256" fill="#dfe8e0"/><path d="M36 96q46-18 92 6 46-24 92-6v90q-46-18-92 6-46-24-92-6z" fill="#fff" stroke="#4d6b57" stroke-width="6"/>
    <path d="M128 102v90" stroke="#4d6b57" stroke-width="5"/><path d="M106 44h44v22q0 16-22 16t-22-16z" fill="#a4552e"/>`,
  // The lighthouse of the paper's masthead.
  harbour_news: `<rect width="256" height="256" fill="#a8261d"/><path d="M104 216l12-124h24l12 124z" fill="#fff"/>
    <rect x="108" y="64" width="40" height="28" fill="#ffd27a"/><path d="M104 64l24-24 24 24z" fill="#fff"/>
    <path d="M108 78L30 56v44zM148 78l78-22v44z" fill="#ffd27a" opacity=".7"/><path d="M110 152h36M107 184h42" stroke="#a8261d" stroke-width="12"/>`,
  // Waves below a gauge.
  tide_bot: `<rect width="256" height="256" fill="#bfe3ea"/><rect x="116" y="40" width="24" height="140" fill="#fff"/>
    <path d="M116 62h14M116 86h14M116 110h14M116 134h14" stroke="#a8261d" stroke-width="6"/>
    <path d="M0 150q32-22 64 0t64 0 64 0 64 0v106H0z" fill="#2d7f9d"/><path d="M0 188q32-22 64 0t64 0 64 0 64 0v68H0z" fill="#1d5f7d"/>`,
};
const BANNERS: Readonly<Record<string, string>> = {
  // The harbour in the morning.
  maya: `<rect width="900" height="300" fill="#f3c892"/><path d="M0 170l160-70 140 60 180-90 200 90 220-60v200H0z" fill="#8fa3b0"/>
    <rect y="190" width="900" height="110" fill="#2d6a8e"/><path d="M560 196h180l-24 34H584z" fill="#fff"/><rect x="600" y="166" width="90" height="30" fill="#fff"/>`,
  // The night sky over the cape.
  amelie: `<rect width="900" height="300" fill="#141a3d"/><path d="M0 300V230l260-50 200 60 440-40v100z" fill="#0a0d20"/>
    <path d="M420 214a44 44 0 0 1 88 0z" fill="#c8ccd2"/>
    <g fill="#fff">${[60, 150, 240, 330, 470, 560, 650, 760, 850].map((x, at) => `<circle cx="${x}" cy="${40 + ((at * 67) % 110)}" r="${2 + (at % 3)}"/>`).join('')}</g>`,
  // The quay with the flags of a feast.
  harbour_news: `<rect width="900" height="300" fill="#cfe3ec"/><rect y="230" width="900" height="70" fill="#7d7d74"/>
    <path d="M0 60q450 110 900 0" stroke="#333" stroke-width="3" fill="none"/>
    ${Array.from({ length: 14 }, (_, at) => `<path d="M${30 + at * 62} ${70 + 46 * Math.sin(((at + 0.5) / 14) * Math.PI)}h40l-20 44z" fill="${['#a8261d', '#2d6a8e', '#e0b04f'][at % 3]}"/>`).join('')}`,
};

/** The first ids of the media of people. */
const FIRST_PICTURE = 511;
const FIRST_BANNER = 531;

/** A medium of the demo world. */
interface DemoMedia {
  readonly media_key: string;
  readonly width?: number;
  readonly height?: number;
  readonly type: 'photo';
  readonly owner?: string;
  readonly alt_text?: string;
  url?: string;
  files?: readonly { readonly name: string; readonly data: string }[];
}

interface DemoUser {
  readonly username: string;
  profile_image?: string;
  profile_banner?: string;
}

/** Draws the pictures of the demo world into its file. Formatting the tree afterwards is up to the caller. */
async function drawPictures(): Promise<void> {
  const world = JSON.parse(await readFile(FILE, 'utf8')) as {
    media: DemoMedia[];
    readonly users: DemoUser[];
  };
  const photos = world.media.filter(({ media_key: key }) => key in DRAWINGS);
  for (const photo of photos) {
    const { media_key: key, width = 0, height = 0 } = photo;
    Object.assign(photo, await draw(key, 'png', DRAWINGS[key], { width, height }));
  }
  const own: DemoMedia[] = [];
  for (const [index, username] of Object.keys(PICTURES).entries()) {
    const user = world.users.find((each) => each.username === username);
    if (!user) throw new Error(`there is no ${username}`);
    const size = { width: 256, height: 256 };
    user.profile_image = `19_${FIRST_PICTURE + index}`;
    const file = await draw(user.profile_image, 'png', PICTURES[username], size);
    own.push({ media_key: user.profile_image, type: 'photo', ...file });
    if (!(username in BANNERS)) continue;
    user.profile_banner = `20_${FIRST_BANNER + index}`;
    const banner = await draw(user.profile_banner, 'jpg', BANNERS[username], { width: 900, height: 300 });
    own.push({ media_key: user.profile_banner, type: 'photo', ...banner });
  }
  world.media = [...photos, ...own];
  await writeFile(FILE, JSON.stringify(world));
}

/** Draws the inside of an SVG. Returns what a medium has of its file. Throws for a file that is too large. */
async function draw(
  key: string,
  format: 'png' | 'jpg',
  inside: string | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Required<Pick<DemoMedia, 'url' | 'files'>>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`;
  const picture = sharp(Buffer.from(svg));
  const bytes = await (
    format === 'png'
      ? picture.png({ palette: true, colours: 16, effort: 10 })
      : picture.jpeg({ quality: 40, mozjpeg: true })
  ).toBuffer();
  if (bytes.length > MAX_BYTES[format]) throw new Error(`${key} has ${bytes.length} bytes`);
  // The names of served files have 32 characters.
  const name = `${key.split('_')[1]}/${`demo-${key}-`.padEnd(32, '0')}.${format}`;
  return { url: `/media/${name}`, files: [{ name, data: bytes.toString('base64') }] };
}

await drawPictures();
