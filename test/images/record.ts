import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import headless from '@xterm/headless';
import { width as widthOf } from '../../src/format/width.ts';

const { Terminal } = headless;

/** Where commands are recorded: a directory whose path is as long as that of the person in the pictures. */
export const standInHome = '/tmp/anna';

/** Neighboring cells of a line that look the same. */
export interface Run {
  readonly text: string;
  /** The column of its first cell. */
  readonly column: number;
  /** How many columns it takes. */
  readonly width: number;
  /** The number of its color among the sixteen of a terminal; undefined for the color of plain text. */
  readonly color: number | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

/** The lines of a terminal. */
export type Screen = readonly (readonly Run[])[];

/** Runs command lines one after the other, each in a terminal of that width, and returns what a person would see. */
export async function record(lines: readonly string[], { columns, env, cwd }: Surroundings): Promise<Screen> {
  const terminal = new Terminal({ cols: columns, rows: 200, allowProposedApi: true, convertEol: false });
  const steady = steadier();
  for (const [at, line] of lines.entries()) {
    // Each command begins after an empty line, so that its prompt is found.
    if (at > 0) await write(terminal, '\r\n');
    const typed = `\x1b[1;32m$\x1b[0m ${line.replaceAll('\n', '\r\n\x1b[2m>\x1b[0m ')}\r\n`;
    await write(terminal, steady(typed + (await outputOf(line, { columns, env, cwd }))));
  }
  return screenOf(terminal);
}

/**
 * Replaces what is different in each run by something of the same length, so that a picture only changes when weir does:
 * times, UUIDs and the ids of the control plane, each id always by the same one.
 */
function steadier(): (text: string) => string {
  const ids: string[] = [];
  const standIn = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    const letters = createHash('sha256')
      .update(`${ids.indexOf(id)}`)
      .digest('hex');
    return id.replaceAll(/\w/g, (_, at: number) => letters[at] ?? '0');
  };
  return (text) =>
    text
      .replaceAll(standInHome, '/home/ana')
      .replaceAll(/\b1\d{12}\b/g, '1795255200000')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-21T10:00:00.000Z')
      .replaceAll(/\b(?<=cluster )[\w-]{22}\b/g, 'weir0example0cluster00')
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[cd][0-9a-v]{19}\b/g, standIn);
}

/** Runs a line that fills the terminal, and returns what a person sees after a while; then it is told to quit. */
export async function watch(line: string, { columns, env, cwd }: Surroundings, forMs: number): Promise<Screen> {
  const rows = 24;
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = startLine(line, { columns, env, cwd }, rows);
  child.stdout.on('data', (chunk: Uint8Array) => terminal.write(chunk));
  await sleep(forMs);
  await write(terminal, '');
  const screen = screenOf(terminal);
  child.stdin.write('q');
  await new Promise((resolve) => child.once('close', resolve));
  return screen;
}

/** Where commands are recorded. */
export interface Surroundings {
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

function write(terminal: InstanceType<typeof Terminal>, data: string): Promise<void> {
  return new Promise((resolve) => terminal.write(data, resolve));
}

/** Runs one line in a shell with a terminal of its own, where a person says yes to each question. */
async function outputOf(line: string, { columns, env, cwd }: Surroundings): Promise<string> {
  const child = startLine(line, { columns, env, cwd }, 50);
  const chunks: Uint8Array[] = [];
  child.stdout.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    if (Buffer.from(chunk).toString().endsWith('[y/N] ')) child.stdin.write('y\n');
  });
  await new Promise((resolve) => child.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

/** Starts a line in a shell with a terminal of its own. */
function startLine(line: string, { columns, env, cwd }: Surroundings, rows: number) {
  const script = `stty cols ${columns} rows ${rows}; ${line}`;
  return spawn('script', ['-q', '-e', '-c', script, '/dev/null'], { env: { ...env, SHELL: '/bin/bash' }, cwd });
}

function screenOf(terminal: InstanceType<typeof Terminal>): Screen {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => runsOf(active.getLine(at), terminal.cols));
  return lines.slice(0, lines.findLastIndex((runs) => runs.length > 0) + 1);
}

type Line = ReturnType<InstanceType<typeof Terminal>['buffer']['active']['getLine']>;

function runsOf(line: Line, columns: number): readonly Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = {
      color: cell.isFgPalette() ? cell.getFgColor() : undefined,
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
    };
    const last = runs.at(-1);
    const text = cell.getChars() || ' ';
    const isSame =
      last !== undefined && last.color === look.color && last.isBold === look.isBold && last.isDim === look.isDim;
    if (isSame) runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + cell.getWidth() };
    else runs.push({ ...look, text, column, width: cell.getWidth() });
  }
  return runs.flatMap(withoutGaps);
}

/** The words of a run, apart where more than one space stands between them: pictures do not keep spaces. */
function withoutGaps(run: Run): readonly Run[] {
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
    ...run,
    text,
    column: run.column + widthOf(run.text.slice(0, index)),
    width: widthOf(text),
  }));
}
