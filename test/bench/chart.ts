import { readFileSync, writeFileSync } from 'node:fs';
import { palettes } from '../images/svg.ts';

const charts: Readonly<Record<string, string>> = {
  consume: 'Reading a whole topic: median time, shorter is better',
  produce: 'Writing a whole file: median time, shorter is better',
};

/** Draws the charts of docs/performance.md from the tables that stand there: the pictures by their paths. */
export function drawCharts(): ReadonlyMap<string, string> {
  const text = readFileSync('docs/performance.md', 'utf8');
  const pictures = new Map<string, string>();
  for (const [name, title] of Object.entries(charts)) {
    const table = text.slice(text.indexOf(`<!-- bench ${name} -->`), text.indexOf(`<!-- end ${name} -->`));
    for (const look of ['light', 'dark'] as const) {
      pictures.set(`docs/images/${name}-${look}.svg`, drawBars(readBars(table), title, look));
    }
  }
  return pictures;
}

/** Writes the charts. */
export function writeCharts(): void {
  for (const [path, picture] of drawCharts()) writeFileSync(path, picture);
}

/** A bar: a program's time for a case. */
interface Bar {
  readonly program: string;
  readonly ms: number;
}

/** Reads the first table of a benchmark that compares programs: the median of each program, by case. */
function readBars(table: string): ReadonlyMap<string, readonly Bar[]> {
  const groups = new Map<string, Bar[]>();
  const lines = table.split('\n');
  const head = lines.findIndex((line) => /^CASE +PROGRAM +WALL-MS /.test(line));
  for (const line of head < 0 ? [] : lines.slice(head + 1)) {
    const [name, program = '', ms] = line.split(/ {2,}/);
    if (name === undefined || ms === undefined) break;
    const group = groups.get(name) ?? [];
    groups.set(name, [...group, { program, ms: Number(ms) }]);
  }
  return groups;
}

/** The name of a case for readers who have not seen the table: `100 B, 1 partition, uncompressed, %v`. */
function spelledOut(name: string): string {
  return name
    .replace(/\b1 p\b/, '1 partition')
    .replace(/\bp,/, 'partitions,')
    .replace(/\bnone\b/, 'uncompressed');
}

const [width, labels, rowHeight, gap] = [900, 190, 17, 30];

/** Draws the bars of each case under its name; weir's own stand out. All bars have one scale. */
function drawBars(groups: ReadonlyMap<string, readonly Bar[]>, title: string, look: 'light' | 'dark'): string {
  const { background, border, bar, text, faint, colors } = palettes[look];
  const longest = Math.max(...[...groups.values()].flat().map(({ ms }) => ms));
  const parts: string[] = [];
  let y = 44;
  for (const [name, bars] of groups) {
    parts.push(`<text x="16" y="${y + 12}" font-weight="600" fill="${text}">${spelledOut(name)}</text>`);
    y += 20;
    for (const { program, ms } of bars) {
      const length = Math.max(2, Math.round((ms / longest) * (width - labels - 90)));
      const fill = program.startsWith('weir') ? colors[4] : bar;
      parts.push(
        `<text x="${labels - 8}" y="${y + 12}" text-anchor="end" fill="${faint}">${program}</text>`,
        `<rect x="${labels}" y="${y + 1}" width="${length}" height="${rowHeight - 4}" rx="2" fill="${fill}"/>`,
        `<text x="${labels + length + 6}" y="${y + 12}" fill="${faint}">${(ms / 1000).toFixed(2)} s</text>`,
      );
      y += rowHeight;
    }
    y += gap - rowHeight;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img">`,
    `<title>${title}</title>`,
    '<style>text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif}</style>',
    `<rect x=".5" y=".5" width="${width - 1}" height="${y - 1}" rx="8" fill="${background}" stroke="${border}"/>`,
    `<text x="16" y="26" fill="${text}" style="font-size:14px">${title}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
