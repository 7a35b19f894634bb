import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes } from '../../src/errors.ts';
import { weir } from '../built.ts';
import { flagLines, rpkLines } from './rpk-documentation.ts';

const usage = 'usage: npm run soak -- rpk-lines [--show KIND] DIRECTORY';
const refusalsFile = new URL('rpk-refusals.json', import.meta.url);
/** What a line leaves open: `<name>`, `[name]`, `{name}`, `...`, and variables of a shell. */
const placeholder = /<[^<>]+>|\[(?:#|[A-Za-z][\w-]*(?:\.\.\.)?)\]|\{[a-z-]+\}|^\.\.\.$|\$\w+|\$\{[^}]*\}|\$\([^)]*\)/g;
/** How many lines run at the same time. */
const atOnce = 2;

/** No line reaches anything: the addresses that it names itself are behind a proxy on a closed port. */
const closed = {
  WEIR_BROKERS: '127.0.0.1:1',
  WEIR_ADMIN_HOSTS: '127.0.0.1:1',
  WEIR_REGISTRY_HOSTS: '127.0.0.1:1',
  WEIR_GLOBALS_PROXY: 'http://127.0.0.1:1',
  WEIR_GLOBALS_COMMAND_TIMEOUT: '5s',
};

/** What becomes of a line of the documentation, in the order of the report. */
const kinds = {
  network: 'reached the network',
  ran: 'ran, or missed only a file, a profile or a login that the documentation creates first',
  open: 'stopped only at a placeholder',
  refused: 'refused, with a hint or a reason',
  unanswered: 'without an answer',
};
type Kind = keyof typeof kinds;

/** A command or flag of rpk that weir does not have. */
interface Refusal {
  /** The command as weir knows it, for example `weir cluster`. */
  readonly command: string;
  /** The word or flag that it does not know, or the value that it does not take. */
  readonly word: string;
  /** How many lines of the documentation stop there. */
  readonly lines: number;
  /** How many flags of the command tree stop there. */
  readonly flags: number;
  /** What weir says to do instead; null if nothing. */
  readonly hint: string | null;
  /** Written by hand: `deliberate`, `missing`, or why the line itself is wrong; empty in a new row. */
  readonly reason: string;
}

interface Result {
  readonly line: string;
  readonly kind: Kind;
  readonly refusal?: Omit<Refusal, 'lines' | 'flags' | 'reason'>;
}

/**
 * `npm run soak -- rpk-lines …`: runs every command line of rpk in a clone of Redpanda's documentation as `weir …`, with
 * an empty home and against closed ports, and updates the list of refused commands and flags. Fails for a line that stops
 * without a hint, unless the list has a reason. Returns the exit code.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { show: { type: 'string' } },
    allowPositionals: true,
  });
  const [directory] = positionals;
  if (directory === undefined || positionals.length > 1) throw new Error(usage);
  const before: readonly Refusal[] = JSON.parse(await readFile(refusalsFile, 'utf8'));
  const reasons = new Map(before.map((row) => [keyOf(row), row.reason]));
  const run = async (lines: readonly (readonly string[])[]) =>
    (await runAll(lines)).map((result) => withReason(result, reasons));
  const lines = await run(rpkLines(await readPages(directory)));
  const flags = await run(flagLines(await readTree(directory)));
  const refusals = countRefusals({ lines, flags }, reasons);
  await writeFile(refusalsFile, `${JSON.stringify(refusals, null, 2)}\n`);
  report('lines of the documentation', lines, values.show);
  report('flags of the command tree', flags, values.show);
  for (const { command, word, hint, reason, ...count } of refusals) {
    say(
      `${String(count.lines).padStart(5)} ${String(count.flags).padStart(4)} ${command}: ${word} | ${reason} | ${hint ?? 'no hint'}`,
    );
  }
  return [...lines, ...flags].some(({ kind }) => kind === 'unanswered') ? 1 : 0;
}

/** The newest command tree of rpk, which the documentation is made from. */
async function readTree(directory: string): Promise<unknown> {
  const folder = join(directory, 'docs-data');
  const trees = (await readdir(folder)).filter((name) => /^rpk-v[\d.]+\.json$/.test(name));
  const [newest = ''] = trees.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return JSON.parse(await readFile(join(folder, newest), 'utf8'));
}

async function readPages(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true });
  const pages = names.filter((name) => name.endsWith('.adoc')).sort();
  return await Promise.all(pages.map((name) => readFile(join(directory, name), 'utf8')));
}

async function runAll(lines: readonly (readonly string[])[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  const rest = lines.map((words, index) => [index, words] as const);
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) results[next[0]] = await runLine(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

async function runLine(words: readonly string[]): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'weir-rpk-line-'));
  try {
    const { exitCode, stderr } = await runWeir(words.map(filledIn), home);
    const line = ['weir', ...words].join(' ');
    if (exitCode === exitCodes.unreachable) return { line, kind: 'network' };
    if (exitCode !== exitCodes.usage) return { line, kind: 'ran' };
    return { line, ...judge(stderr, words) };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A word as it runs: a value for each placeholder, and no address of this machine. */
function filledIn(word: string): string {
  return word.replaceAll(placeholder, '1').replaceAll(/(localhost|127\.0\.0\.1|0\.0\.0\.0):\d+/g, '127.0.0.1:1');
}

function runWeir(words: readonly string[], home: string): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: home, ...closed };
    const child = execFile(
      process.execPath,
      [weir, ...words],
      { env, cwd: home, timeout: 30_000 },
      (error, _, stderr) => {
        if (error?.killed) reject(new Error(`weir ${words.join(' ')}: still running after 30s`));
        else resolve({ exitCode: child.exitCode ?? -1, stderr });
      },
    );
    child.stdin?.end();
  });
}

/** What a usage error means: a word that weir does not know, a place that the line leaves open, or a value of the line. */
function judge(stderr: string, words: readonly string[]): Pick<Result, 'kind' | 'refusal'> {
  const { message, hint } = readError(stderr);
  const [, word, command] = /^unknown (?:command|flag) "?([^" ]+)"? for "([^"]+)"/.exec(message) ?? [];
  if (word === undefined || command === undefined) {
    if (/no such file|does not exist/.test(message)) return { kind: 'ran' };
    if (words.some((one) => one.search(placeholder) >= 0)) return { kind: 'open' };
  }
  const refusal = { command: command ?? `weir ${words.slice(0, 2).join(' ')}`, word: word ?? message, hint };
  return { kind: hint === null ? 'unanswered' : 'refused', refusal };
}

/** The error of a line, in text or JSON; a hint that only leads to the help is none. */
function readError(stderr: string): { readonly message: string; readonly hint: string | null } {
  const [first = '', ...rest] = stderr.trim().split('\n');
  const { error } = first.startsWith('{') ? JSON.parse(first) : {};
  const hints: readonly string[] = error?.hint?.split('; ') ?? rest.map((line) => /^hint: (.*)/.exec(line)?.[1] ?? '');
  const useful = hints
    .map((hint) => hint.replace(/(?:^|(?<=\?) )see weir .*--help$/, ''))
    .filter((hint) => hint !== '');
  return {
    message: error?.message ?? first.replace(/^weir: /, ''),
    hint: useful.length === 0 ? null : useful.join('; '),
  };
}

function keyOf({ command, word }: Pick<Refusal, 'command' | 'word'>): string {
  return `${command} ${word}`;
}

function withReason(result: Result, reasons: ReadonlyMap<string, string>): Result {
  if (result.kind !== 'unanswered' || result.refusal === undefined) return result;
  return (reasons.get(keyOf(result.refusal)) ?? '') === '' ? result : { ...result, kind: 'refused' };
}

type Lists = Readonly<Record<'lines' | 'flags', readonly Result[]>>;

function countRefusals(lists: Lists, reasons: ReadonlyMap<string, string>): readonly Refusal[] {
  const rows = new Map<string, Refusal>();
  for (const list of ['lines', 'flags'] as const) {
    for (const { refusal } of lists[list]) {
      if (refusal === undefined) continue;
      const key = keyOf(refusal);
      const { command, word, hint } = refusal;
      const row = rows.get(key) ?? { command, word, lines: 0, flags: 0, hint, reason: reasons.get(key) ?? '' };
      rows.set(key, { ...row, [list]: row[list] + 1 });
    }
  }
  return [...rows.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function report(what: string, results: readonly Result[], shown: string | undefined): void {
  for (const { line, kind, refusal } of results) {
    if (kind === 'unanswered' || kind === shown)
      say(`${kind}: ${line}${refusal === undefined ? '' : ` (${refusal.word})`}`);
  }
  say(`${results.length} ${what}`);
  for (const [kind, meaning] of Object.entries(kinds)) {
    say(`${String(results.filter((result) => result.kind === kind).length).padStart(5)} ${meaning}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
