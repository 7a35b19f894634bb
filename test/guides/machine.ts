import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Host, realHost } from '../../src/host/host.ts';
import { freePorts } from '../../src/sandbox/ports.ts';
import { fastClock } from '../fast-clock.ts';
import { keptCode } from '../kept-code.ts';
import { withoutSlowLines } from '../slow-lines.ts';
import { run, splitLine, type World } from '../world.ts';
import { readShellLine, type Stage } from './shell-line.ts';

/** What a guide expects of its reader's machine. */
export interface Reader {
  /** Files of the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** Command lines that were run before. */
  readonly before?: readonly string[];
  /** Environment variables, which name an existing cluster. */
  readonly env?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** What a line left on the screen. */
export interface Screen {
  readonly text: string;
  readonly exitCode: number;
}

/** A machine without Java and containers. */
export interface Machine {
  readonly home: string;
  /** Runs a line; `shown` is what the page shows below it, with `^C` where the reader interrupts. */
  runLine(line: string, shown?: string): Promise<Screen>;
  /** Writes a file of the working directory. */
  write(name: string, text: string): void;
}

/** What its shell knows beside `weir`. */
export const programsOfShell = ['echo', 'printf', 'cat', 'export', 'unset'];

/** The home directory as the guides show it, as long as the one of the test. */
const shownHome = '/home/ana-maria';

interface Result {
  readonly stdout: string;
  readonly exitCode: number;
}

/** Makes a machine with an empty home directory, which its user removes. */
export async function newMachine({ files = {}, env: ownEnv }: Reader): Promise<Machine> {
  const home = mkdtempSync('/tmp/ana-');
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const env: Record<string, string> = {
    HOME: home,
    PATH: '/nonexistent',
    EDITOR: 'true',
    NODE_OPTIONS: fastClock,
    ...keptCode,
    ...(await ownEnv?.()),
  };
  const ports = new Map<string, number>();
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);

  async function runStage({ words, assigned }: Stage, world: World): Promise<Result> {
    const [program, ...args] = words;
    if (program === 'echo') return { stdout: `${args.join(' ')}\n`, exitCode: 0 };
    if (program === 'printf') return { stdout: printf(args), exitCode: 0 };
    if (program === 'cat') return { stdout: args.map(read).join(''), exitCode: 0 };
    if (program !== 'weir') throw new Error(`this machine has no ${program}`);
    return await run(await withPort(args, ports), {
      home,
      cwd,
      ...world,
      ...terminalFor(args),
      env: { ...env, ...assigned },
    });
  }

  return {
    home,
    write,
    async runLine(line, shown = '') {
      const screen = newScreen(home, shown);
      const stages = readShellLine(line, (inner) => read(splitLine(inner)[1] ?? '').trimEnd());
      let result: Result = { stdout: '', exitCode: 0 };
      for (const stage of stages) {
        if (isSetting(stage, env)) continue;
        const isLast = stage === stages.at(-1) && stage.output === undefined;
        const stdin = stage.input === undefined ? result.stdout : readFileSync(join(cwd, stage.input));
        result = await runStage(stage, { stdin, spawn: spawnOn(screen, env), ...screen.world(isLast) });
        if (stage.output !== undefined) write(stage.output, result.stdout);
        if (result.exitCode !== 0) break;
      }
      return { text: screen.text(), exitCode: result.exitCode };
    },
  };
}

/** What printf prints: of its format, only `%s` and `\n`. */
function printf([format = '', ...texts]: readonly string[]): string {
  const line = format.replaceAll('\\n', '\n');
  return line.includes('%s') ? texts.map((text) => line.replace('%s', () => text)).join('') : line;
}

/** Carries out `NAME=value`, `export` and `unset`; false for a program. */
function isSetting({ words, assigned }: Stage, env: Record<string, string>): boolean {
  const [first, ...rest] = words;
  if (first === 'unset') for (const name of rest) delete env[name];
  if (first === 'export') for (const word of rest) env[word.split('=')[0] ?? ''] = word.slice(word.indexOf('=') + 1);
  if (first === undefined) Object.assign(env, assigned);
  return first === undefined || first === 'unset' || first === 'export';
}

/** A password is typed for each secret without a value. */
function terminalFor(args: readonly string[]): World {
  const asked = /^profile (set|create) /.test(args.join(' ')) ? args.filter((word) => /^(.*\.)?pass$/.test(word)) : [];
  const isTyped = asked.length > 0 && !args.some((word) => /^--(stdin|file)$/.test(word));
  return isTyped ? { terminal: { stdin: true, stderr: true }, stdin: 'secret\n'.repeat(asked.length) } : {};
}

/** A port for a sandbox that would take the default one: tests that run at the same time must not compete for it. */
async function withPort(args: readonly string[], ports: Map<string, number>): Promise<readonly string[]> {
  if (args[0] !== 'sandbox' || args[1] !== 'start' || args.includes('--port')) return args;
  const name = args.includes('--name') ? (args[args.indexOf('--name') + 1] ?? '') : '';
  const port = ports.get(name) ?? (await freePorts(1))[0] ?? 0;
  ports.set(name, port);
  return [...args, '--port', String(port)];
}

interface ScreenOf {
  add(text: string): void;
  text(): string;
  world(showsOutput: boolean): World;
}

/** Takes both outputs in the order in which they come, and interrupts where the page has `^C`. */
function newScreen(home: string, shown: string): ScreenOf {
  const interruptAt = shown.indexOf('^C\n');
  let text = '';
  let isInterrupted = false;
  let interrupt = (): void => undefined;
  const add = (more: string): void => {
    text += more.replaceAll(home, shownHome);
    if (isInterrupted || interruptAt < 0 || text.length < interruptAt) return;
    isInterrupted = true;
    text += '^C\n';
    interrupt();
  };
  return {
    add,
    text: () => withoutSlowLines(text),
    world: (showsOutput) => ({
      onStderr: add,
      ...(showsOutput ? { onStdout: add } : {}),
      onStart(kill) {
        interrupt = () => kill('SIGINT');
        if (interruptAt === 0) add('');
      },
    }),
  };
}

/** Really starts programs, in the environment of this machine; their output goes to the screen. */
function spawnOn(screen: ScreenOf, env: Readonly<Record<string, string>>): Host['spawn'] {
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return async (file, args, options) => {
    const inherits = options.stdio === 'inherit';
    const world = { ...none, ...env, PATH: process.env.PATH, ...options.env };
    const result = await realHost().spawn(file, args, { ...options, stdio: 'capture', env: world });
    if (inherits)
      screen.add(
        [result.stdout, result.stderr]
          .filter((text) => text !== '')
          .join('\n')
          .concat('\n'),
      );
    return result;
  };
}
