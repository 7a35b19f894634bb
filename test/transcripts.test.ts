import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readShellLine } from './guides/shell-line.ts';
import { services } from './services/services.ts';
import { skipPauses } from './skipped-pauses.ts';
import { openStage, type Stage, stageTime } from './stage.ts';
import { type Outcome, run, type World } from './world.ts';

/** One command of a transcript and the comments above it. */
interface Step {
  readonly above: string;
  readonly line: string;
}

/** Extracts the commands of a transcript; their output is regenerated and compared as a whole. */
function stepsOf(text: string): readonly Step[] {
  return [...text.matchAll(/(?<above>(?:^#.*\n|^\n)*)^\$ (?<line>.*)\n/gm)].map(({ groups }) => {
    return { above: groups?.above ?? '', line: groups?.line ?? '' };
  });
}

function lines(text: string, mark: string): string {
  return text.replace(/^(?=.)/gm, mark);
}

/** A text whose last line ends. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The home directory as transcripts show it, as long as the one of the test, so that tables stay aligned. */
const shownHome = '/home/ana-maria';

/** The time of records, which a producer takes from the machine. */
const realTimes = /\b(?:1[67]\d{11}|20[12]\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\b/g;

/** What differs from run to run: the random ids of the control plane and of the Admin API. */
const randomIds = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-v]{20})\b/g;

/** Numbers random ids in the order in which they appear, each as long as it was. */
function createIds() {
  const known = new Map<string, string>();
  const shownOf = (id: string): string => {
    const number = String(known.size + 1);
    const shown = id.includes('-')
      ? `00000000-0000-4000-8000-${number.padStart(12, '0')}`
      : `c${number.padStart(19, '0')}`;
    known.set(id, known.get(id) ?? shown);
    return known.get(id) ?? shown;
  };
  return {
    shown: (text: string) => text.replace(randomIds, shownOf),
    /** The ids of this run for those of the transcript. */
    actual: (text: string) => [...known].reduce((changed, [id, shown]) => changed.replaceAll(shown, id), text),
  };
}

/** A real Kafka as one local broker, for transcripts without a line of services. */
function realBroker(): Stage {
  const broker = services().plaintext;
  return {
    env: {},
    shown: (text) => text.replaceAll(broker, 'localhost:9092').replace(/timestamp \d{13}/g, 'timestamp 1793534400000'),
    actual: (text) => text.replaceAll('localhost:9092', broker),
    close: async () => {},
  };
}

/**
 * Runs all commands on one machine and returns the transcript. What goes to standard error is marked with `! `, an exit
 * code other than 0 with `? `. `# services: …` names simulated services; `$ NAME=value` is for all lines below.
 */
async function replay(text: string, home: string): Promise<string> {
  const header = /^# services: (.*)\n/.exec(text)?.[1];
  const stage = header === undefined ? realBroker() : await openStage(header.split(' '));
  if (header !== undefined) skipPauses();
  const ids = createIds();
  const env: Record<string, string> = { HOME: home, ...stage.env };
  const shown = (output: string) =>
    ids
      .shown(stage.shown(output))
      .replaceAll(home, shownHome)
      .replace(realTimes, (time) => (time.includes('-') ? new Date(stageTime).toISOString() : String(stageTime)));
  let transcript = '';
  try {
    for (const { above, line } of stepsOf(text)) {
      transcript += `${above}$ ${line}\n`;
      let stdin: string | Buffer = '';
      let after = '';
      for (const { words, assigned, input, output } of readShellLine(ids.actual(stage.actual(line)))) {
        const [program, ...args] = words;
        if (program === undefined) Object.assign(env, assigned);
        if (program === undefined) continue;
        if (input !== undefined) stdin = readFileSync(join(home, input));
        const world = { home, cwd: home, env: { ...env, ...assigned }, stdin, now: stageTime };
        const { stdout, stderr, exitCode } = await runProgram(program, args, world);
        after += lines(shown(stderr), '! ') + (exitCode === 0 ? '' : `? ${exitCode}\n`);
        if (output !== undefined) writeFileSync(join(home, output), stdout);
        stdin = output === undefined ? stdout : '';
      }
      transcript += `${ended(shown(stdin.toString()))}${after}`;
    }
  } finally {
    await stage.close();
  }
  return transcript;
}

/** Runs a program of the shell that transcripts have. */
async function runProgram(program: string, args: readonly string[], world: Required<Pick<World, 'cwd'>> & World) {
  const printed = (stdout: string): Outcome => ({ stdout, stderr: '', exitCode: 0 });
  if (program === 'echo') return printed(`${args.join(' ')}\n`);
  if (program === 'printf') return printed((args[0] ?? '').replaceAll('\\n', '\n'));
  if (program === 'cat' && args.length === 0) return printed(String(world.stdin));
  if (program === 'cat') return printed(args.map((name) => readFileSync(join(world.cwd, name), 'utf8')).join(''));
  if (program !== 'weir') throw new Error(`a transcript runs weir, not ${program}`);
  return await run(args, world);
}

describe('the transcript', () => {
  it.each(globSync('test/transcripts/**/*.txt').sort())('%s matches the actual output', async (path) => {
    const text = readFileSync(path, 'utf8');
    expect(stepsOf(text).length, path).toBeGreaterThan(2);
    // As long as its replacement.
    const home = mkdtempSync('/tmp/ana-');
    try {
      await expect(await replay(text, home)).toMatchFileSnapshot(`../${path}`);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
