import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Host, realHost } from '../../src/host/host.ts';
import { readShellLine, type Stage as ShellStage } from '../guides/shell-line.ts';
import { services } from '../services/services.ts';
import { skipPauses } from '../skipped-pauses.ts';
import { type Outcome, run, type World } from '../world.ts';
import { openStage, type Stage, stageTime } from './stage.ts';

/** One command of a transcript. */
export interface Step {
  /** The comments and empty lines above it. */
  readonly above: string;
  readonly line: string;
  /** What a person types at the terminal, line by line; undefined for a command without a terminal. */
  readonly typed: readonly string[] | undefined;
}

/** How to replay a transcript. */
export interface ReplayOptions {
  /** The output format of every command that prints its result and names no format itself. */
  readonly format?: string;
}

/** The home directory as transcripts show it, as long as the one of a test, so that tables stay aligned. */
const shownHome = '/home/ana-maria';

/** The prefix of the directory that a test must use as home: with the six random characters as long as `shownHome`. */
export const homePrefix = '/tmp/ana-';

/** Ids of processes, in a last column and in JSON. */
const processIds = /(?<="pid":|\brunning +)\d+(?=[,\n]|$)/g;

/** The time of records, which a producer takes from the machine. */
const realTimes = /\b(?:1[67]\d{11}|20[12]\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\b/g;

/** What differs from run to run, and how its replacement begins. */
const randomKinds = [
  // Tokens of the control plane.
  { start: 'TOKEN-', pattern: /\beyJ[\w-]+\.[\w-]+\.[\w-]+/, length: 10 },
  // Ids of the control plane and of the Admin API, checksums over them, and their parts in host names.
  { start: '00000000-0000-4000-8000-', pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/ },
  { start: 'c', pattern: /\b[0-9a-f]{64}\b|\b[0-9a-v]{20}\b|(?<=\bseed-)[0-9a-v]{8}(?=\.)/ },
  // Ids of interrupted flows.
  { start: 'f', pattern: /(?<="id":")[0-9a-f]{10}(?=")/ },
  // The client secrets and ids that it issues.
  { start: 'SECRET-', pattern: /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/ },
  { start: 'CLIENT-', pattern: /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32}(?![\w-])/ },
] as const;

const randomIds = new RegExp(randomKinds.map(({ pattern }) => `(?:${pattern.source})`).join('|'), 'g');

/** The directory that keeps the text of an editor. */
const editorDirectory = /\/weir-\w{6}(?=\/)/g;

/** The directory of the real Kafka. */
const kafkaDirectory = /\/[^\s"]*\/weir-services-[^/]*(?=\/)/g;

/** Commands that print text whatever the format is. */
const formatless: readonly (string | undefined)[] = ['help', 'completion', '__complete'];

/** Extracts the commands of a transcript; their output is regenerated and compared as a whole. */
export function stepsOf(text: string): readonly Step[] {
  const steps = text.matchAll(/(?<above>(?:^#.*\n|^\n)*)^\$ (?<line>.*)\n(?<typed>(?:^<(?: .*)?\n)*)/gm);
  return [...steps].map(({ groups: { above = '', line = '', typed = '' } = {} }) => {
    return { above, line, typed: typed === '' ? undefined : typed.match(/(?<=^<) ?.*/gm)?.map((one) => one.slice(1)) };
  });
}

/**
 * Runs all commands on one machine, within a test, and returns the transcript. What goes to standard error is marked
 * with `! `, an exit code other than 0 with `? `, and output that looks like one of the marks with `| `.
 *
 * - `# services: …` in the first line names the services that are configured (see `openStage`); without it, there is a real
 *   Kafka at localhost:9092, and nothing is configured.
 * - `$ NAME=value` is for all lines below.
 * - Lines `< …` directly below a command are typed at a terminal, which shows both outputs in their order.
 * - `# columns: N` above a command gives it and all lines below a screen of this width.
 * @param home an empty directory, made from `homePrefix`
 */
export async function replay(text: string, home: string, options: ReplayOptions = {}): Promise<string> {
  const header = /^# services: (.*)\n/.exec(text)?.[1];
  const stage = header === undefined ? realBroker() : await openStage(header.split(' '));
  // A real Kafka and the processes of a sandbox need real time.
  if (header !== undefined && !/kafka|port/.test(header)) skipPauses();
  const lines = stepsOf(text).map(({ line }) => line);
  const ids = createIds(lines.join('\n'));
  for (const [name, content] of Object.entries(stage.files)) writeFileSync(join(home, name), content);
  const shell = createShell({ ...options, home, env: { HOME: home, TMPDIR: home, ...stage.env } });
  const shown = (output: string) =>
    ids
      .shown(stage.shown(output))
      .replaceAll(home, shownHome)
      .replace(processIds, '4711')
      .replace(editorDirectory, '/weir-editor')
      .replace(kafkaDirectory, '/var/lib/kafka')
      .replace(realTimes, (time) => (time.includes('-') ? new Date(stageTime).toISOString() : String(stageTime)));
  let columns: number | undefined;
  let transcript = '';
  try {
    for (const { above, line, typed } of stepsOf(text)) {
      columns = Number(/^# columns: (\d+)$/m.exec(above)?.[1]) || columns;
      transcript += `${above}$ ${line}\n${marked('< ', (typed ?? []).map((one) => `${one}\n`).join(''))}`;
      const stages = readShellLine(ids.actual(stage.actual(line)));
      transcript += shown(await shell.runLine(stages, { typed: typed?.map(stage.actual).map(ids.actual), columns }));
    }
  } finally {
    await stage.close();
  }
  return transcript;
}

/** A real Kafka as one local broker, for transcripts without a line of services. */
function realBroker(): Stage {
  const broker = services().plaintext;
  return {
    env: {},
    files: {},
    shown: (text) => text.replaceAll(broker, 'localhost:9092').replace(/timestamp \d{13}/g, 'timestamp 1793534400000'),
    actual: (text) => text.replaceAll('localhost:9092', broker),
    close: async () => {},
  };
}

/**
 * Numbers random ids in the order in which they appear, each as long as it was. Ids that a line of the transcript names
 * stay as they are.
 */
function createIds(lines: string) {
  const named = new Set(lines.match(randomIds));
  const known = new Map<string, string>();
  const shownOf = (id: string): string => {
    if (named.has(id)) return id;
    const kind = randomKinds.find(({ pattern }) => pattern.test(id)) ?? { start: 'f' };
    const length = 'length' in kind ? kind.length : id.length;
    const shown = known.get(id) ?? kind.start + String(known.size + 1).padStart(length - kind.start.length, '0');
    known.set(id, shown);
    return shown;
  };
  return {
    shown: (text: string) => text.replace(randomIds, shownOf),
    /** The ids of this run for those of the transcript. */
    actual: (text: string) => [...known].reduce((changed, [id, shown]) => changed.replaceAll(shown, id), text),
  };
}

/** The terminal of one command line. */
interface Seat {
  readonly typed: readonly string[] | undefined;
  readonly columns: number | undefined;
}

/** The machine of a transcript: its directory, and the variables that lines set for the ones below. */
function createShell({ home, env, format }: ReplayOptions & { home: string; env: Record<string, string> }) {
  async function runStage({ words, assigned }: ShellStage, world: World, isShown: boolean): Promise<Outcome> {
    const [program = '', ...args] = words;
    const printed = (stdout: string): Outcome => ({ stdout, stderr: '', exitCode: 0 });
    if (program === 'echo') return printed(`${args.join(' ')}\n`);
    if (program === 'printf') return printed((args[0] ?? '').replaceAll('\\n', '\n'));
    if (program === 'head') return printed(firstLines(String(world.stdin), Number(args[1])));
    if (program === 'cat' && args.length === 0) return printed(String(world.stdin));
    if (program === 'cat') return printed(args.map((name) => readFileSync(join(home, name), 'utf8')).join(''));
    if (program !== 'weir') throw new Error(`a transcript runs weir, not ${program}`);
    const line = isShown ? inFormat(args, format) : args;
    const children = { stdout: '', stderr: '' };
    const own = { ...world.env, ...env, ...assigned };
    const spawn = spawnIn(own, home, (stream, text) => {
      children[stream] += text;
      (stream === 'stdout' ? world.onStdout : world.onStderr)?.(text);
    });
    const outcome = await run(line, { ...world, env: own, home, cwd: home, now: stageTime, spawn });
    return { ...outcome, stdout: children.stdout + outcome.stdout, stderr: children.stderr + outcome.stderr };
  }

  /** Runs a line and returns what it shows. */
  async function runLine(stages: readonly ShellStage[], seat: Seat): Promise<string> {
    const screen = createScreen(seat);
    let stdin: string | Buffer = '';
    let shown = '';
    let after = '';
    for (const stage of stages) {
      const { words, assigned, input, output } = stage;
      if (words.length === 0) Object.assign(env, assigned);
      if (words.length === 0) continue;
      if (input !== undefined) stdin = readFileSync(join(home, input));
      const isFed = input !== undefined || stage !== stages[0];
      const isShown = output === undefined && stage === stages.at(-1);
      const result = await runStage(stage, { stdin, ...screen?.world({ isFed, isShown }) }, isShown);
      after += `${screen === undefined ? marked('! ', result.stderr) : ''}${exitOf(result)}`;
      if (output !== undefined) writeFileSync(join(home, output), result.stdout);
      stdin = output === undefined ? result.stdout : '';
      shown = stdin;
    }
    return `${screen?.text() ?? outputLines(shown)}${after}`;
  }

  return { runLine };
}

/** Really starts programs, such as an editor, in the environment of a line; `show` gets what they write to the screen. */
function spawnIn(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  show: (stream: 'stdout' | 'stderr', text: string) => void,
): Host['spawn'] {
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return async (file, args, options) => {
    const world = { ...none, PATH: process.env.PATH, ...env, ...options.env };
    const result = await realHost().spawn(file, args, { cwd, ...options, stdio: 'capture', env: world });
    if (options.stdio === 'capture') return result;
    if (result.stdout !== '') show(options.outputToError ? 'stderr' : 'stdout', ended(result.stdout));
    if (result.stderr !== '') show('stderr', ended(result.stderr));
    return result;
  };
}

function exitOf({ exitCode }: Outcome): string {
  return exitCode === 0 ? '' : `? ${exitCode}\n`;
}

function firstLines(text: string, count: number): string {
  return text.split('\n', count).join('\n');
}

/** The words of a command in another format, unless they name one. */
function inFormat(args: readonly string[], format: string | undefined): readonly string[] {
  const isFixed = formatless.includes(args[0]) || args.some((word) => /^--format(=|$)/.test(word));
  return format === undefined || isFixed ? args : ['--format', format, ...args];
}

/** A text with a mark in front of each line, which ends. */
function marked(mark: string, text: string): string {
  return ended(text).replace(/^.*\n/gm, (line) => (line === '\n' ? `${mark.trim()}\n` : `${mark}${line}`));
}

/** Output, with a mark in front of the lines that would be read as something else. */
function outputLines(text: string): string {
  return ended(text)
    .replace(/^(?:#|[$<!?|] )/gm, '| $&')
    .replace(/(?<=^|\n)\n+$/, (empty) => '|\n'.repeat(empty.length));
}

/** A text whose last line ends. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** A screen and a keyboard; undefined for a command without a terminal. */
function createScreen({ typed, columns: wanted }: Seat) {
  if (typed === undefined && wanted === undefined) return undefined;
  const columns = wanted ?? 80;
  const pieces: { readonly isError: boolean; text: string }[] = [];
  const add = (isError: boolean) => (text: string) => {
    const last = pieces.at(-1);
    if (last?.isError === isError) last.text += text;
    else pieces.push({ isError, text });
  };
  const keyboard = createKeyboard(typed ?? [], add(true));
  return {
    text: () => pieces.map(({ isError, text }) => (isError ? marked('! ', text) : outputLines(text))).join(''),
    world({ isFed, isShown }: { isFed: boolean; isShown: boolean }): World {
      return {
        // The words matter here, and their order.
        env: { NO_COLOR: '1' },
        terminal: {
          stdin: typed !== undefined && !isFed,
          stderr: columns,
          ...(isShown ? { stdout: columns } : {}),
          ...(typed === undefined ? {} : { typed: keyboard.line }),
        },
        ...(typed === undefined || isFed ? {} : { stdin: keyboard.rest() }),
        ...(isShown ? { onStdout: add(false) } : {}),
        onStderr: add(true),
      };
    },
  };
}

/** Types lines as they are read, and echoes them unless the reader hides them. */
function createKeyboard(typed: readonly string[], echo: (text: string) => void) {
  const left = [...typed];
  const next = (isHidden = false): string | undefined => {
    const line = left.shift();
    if (line !== undefined && !isHidden) echo(`${line}\n`);
    return line === undefined ? undefined : `${line}\n`;
  };
  function* lines() {
    for (let line = next(); line !== undefined; line = next()) yield Buffer.from(line);
  }
  return {
    /** What answers one question. */
    line(): Readable {
      let isTyped = false;
      let isHidden = false;
      const input = new Readable({
        read() {
          if (!isTyped) input.push(next(isHidden) ?? null);
          isTyped = true;
        },
      });
      const setRawMode = (isRaw: boolean) => {
        isHidden = isRaw;
      };
      return Object.assign(input, { setRawMode });
    },
    /** All lines that are left, for a command that reads its standard input. */
    rest: () => Readable.from(lines()),
  };
}
