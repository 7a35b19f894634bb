import type { Run, Screen } from './record.ts';

/** The colors of a picture. */
interface Palette {
  readonly background: string;
  readonly border: string;
  readonly text: string;
  readonly faint: string;
  /** The sixteen colors of a terminal. */
  readonly colors: readonly string[];
}

const darkColors = 'ff7b72 7ee787 e3b341 79c0ff d2a8ff 76e3ea c9d1d9'.split(' ');
const lightColors = 'b31d28 116329 7d4e00 0550ae 6639ba 0a6c74 57606a'.split(' ');

/** The looks that each picture is made in. */
export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    text: '#24292f',
    faint: '#6e7781',
    colors: sixteen('24292f', lightColors),
  },
  dark: {
    background: '#0d1117',
    border: '#30363d',
    text: '#e6edf3',
    faint: '#8b949e',
    colors: sixteen('484f58', darkColors),
  },
};

function sixteen(black: string, others: readonly string[]): readonly string[] {
  const eight = [black, ...others].map((color) => `#${color}`);
  return [...eight, ...eight];
}

const fontSize = 14;
const cellWidth = 8.4;
const lineHeight = 20;
const margin = 16;
const barHeight = 32;
const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/** Draws a terminal with its title as a picture whose text can be selected. */
export function drawTerminal(screen: Screen, title: string, columns: number, palette: Palette): string {
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = barHeight + screen.length * lineHeight + margin;
  const lines = screen.flatMap((runs, row) => {
    const y = barHeight + row * lineHeight + fontSize;
    return runs.length === 0 ? [] : [`<text y="${y}">${runs.map((run) => drawRun(run, palette)).join('')}</text>`];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:${fontSize}px ${fonts};fill:${palette.text}}.b{font-weight:600}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${palette.background}" stroke="${palette.border}"/>`,
    ...[0, 1, 2].map((at) => `<circle cx="${margin + 4 + at * 16}" cy="15" r="4.5" fill="${palette.border}"/>`),
    `<text x="${width / 2}" y="19.5" text-anchor="middle" style="font-size:12px;fill:${palette.faint}">${escaped(title)}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

/** A run keeps its columns in whatever font is found. */
function drawRun({ text, column, width, color, isBold, isDim }: Run, palette: Palette): string {
  const x = round(margin + column * cellWidth);
  const fill = isDim ? palette.faint : color === undefined ? undefined : palette.colors[color];
  const attributes = [
    `x="${x}"`,
    `textLength="${round(width * cellWidth)}"`,
    ...(isBold ? ['class="b"'] : []),
    ...(fill === undefined ? [] : [`style="fill:${fill}"`]),
  ];
  return `<tspan ${attributes.join(' ')}>${escaped(text)}</tspan>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
