import { readFileSync } from 'node:fs';

/** A fenced block of a Markdown page. */
export interface Block {
  readonly language: string;
  /** Numbers of its first line and of its closing fence, from 0. */
  readonly from: number;
  readonly to: number;
  /** Why its commands are not run, from the comment above it (`<!-- not run: … -->`). */
  readonly notRun: string | undefined;
}

/** A command line of a block, and what the page shows below it. */
export interface Step {
  /** The whole line, continued ones joined. */
  readonly command: string;
  /** The number of its first line, from 0. */
  readonly at: number;
  /** The lines of the shown output, from and to (exclusive); the same number when none is shown. */
  readonly outputFrom: number;
  readonly outputTo: number;
}

/** A page, by lines. */
export interface Page {
  readonly path: string;
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
}

/** Reads a page and finds its blocks. */
export function readPage(path: string): Page {
  const lines = readFileSync(path, 'utf8').split('\n');
  const blocks: Block[] = [];
  let open: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('```')) continue;
    if (open === undefined) open = at;
    else {
      const language = (lines[open] ?? '').slice(3);
      const notRun = /^<!-- not run: (.*) -->$/.exec(lines[open - 1] ?? '')?.[1];
      blocks.push({ language, from: open + 1, to: at, notRun });
      open = undefined;
    }
  }
  return { path, lines, blocks };
}

/** The command lines of a block: those after `$ ` in a `console` block, every line of an `sh` block. */
export function stepsOf({ lines }: Page, { language, from, to }: Block): readonly Step[] {
  const prompt = language === 'console' ? '$ ' : '';
  if (language !== 'console' && language !== 'sh') return [];
  const steps: Step[] = [];
  for (let at = from; at < to; ) {
    const first = at;
    if (!(lines[at] ?? '').startsWith(prompt)) throw new Error(`line ${at + 1} follows no command`);
    let command = (lines[at++] ?? '').slice(prompt.length);
    while (command.endsWith('\\')) command = command.slice(0, -1) + (lines[at++] ?? '').trimStart();
    const outputFrom = at;
    while (prompt !== '' && at < to && !(lines[at] ?? '').startsWith(prompt)) at++;
    steps.push({ command, at: first, outputFrom, outputTo: at });
  }
  return steps;
}

/** The text of a block. */
export function textOf({ lines }: Page, { from, to }: Block): string {
  return lines.slice(from, to).join('\n');
}
