import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { services } from './services/services.ts';
import { run, splitLine, type World } from './world.ts';

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

/** Parses a shell line: `[echo TEXT |] [NAME=value] weir WORDS`, or `NAME=value` for all lines below. */
function readLine(line: string): { words: readonly string[] | undefined; env: Record<string, string>; stdin: string } {
  const [command = '', before] = line.split(' | ').reverse();
  const words = splitLine(command);
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const assigned = words.slice(0, start < 0 ? words.length : start);
  const env = Object.fromEntries(assigned.map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));
  if (start >= 0 && words[start] !== 'weir') throw new Error(`a transcript runs weir, not ${words[start]}`);
  const stdin = before === undefined ? '' : `${splitLine(before).slice(1).join(' ')}\n`;
  return { words: start < 0 ? undefined : words.slice(start + 1), env, stdin };
}

function lines(text: string, mark: string): string {
  return text.replace(/^(?=.)/gm, mark);
}

/** Runs all commands in one world and returns the transcript, as on a machine with one local broker. */
async function replay(text: string, home: string): Promise<string> {
  const broker = services().plaintext;
  const shown = (output: string) =>
    output
      .replaceAll(broker, 'localhost:9092')
      .replaceAll(home, '/home/ana-maria')
      .replace(/timestamp \d{13}/g, 'timestamp 1793534400000');
  const env: Record<string, string> = { HOME: home };
  let transcript = '';
  for (const { above, line } of stepsOf(text)) {
    const { words, env: assigned, stdin } = readLine(line.replaceAll('localhost:9092', broker));
    transcript += `${above}$ ${line}\n`;
    if (words === undefined) Object.assign(env, assigned);
    if (words === undefined) continue;
    const world: World = { home, env: { ...env, ...assigned }, stdin };
    const { stdout, stderr, exitCode } = await run(words, world);
    transcript += shown(stdout) + lines(shown(stderr), '! ') + (exitCode === 0 ? '' : `? ${exitCode}\n`);
  }
  return transcript;
}

describe('the transcript', () => {
  it.each(globSync('test/transcripts/*.txt').sort())('%s matches the actual output', async (path) => {
    const text = readFileSync(path, 'utf8');
    expect(stepsOf(text).length, basename(path)).toBeGreaterThan(3);
    // The path has the same length as its replacement, so that tables stay aligned.
    const home = mkdtempSync('/tmp/ana-');
    try {
      await expect(await replay(text, home)).toMatchFileSnapshot(`../${path}`);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
