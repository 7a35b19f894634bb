import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { findCommand } from '../../src/cli/parse/named-command.ts';
import { commands } from '../../src/commands/index.ts';
import { weirLinesOf } from '../guides/shell-line.ts';
import { alone } from '../services/services.ts';
import { homePrefix, replay, stepsOf } from './replay.ts';

/**
 * Declares the tests of the transcripts of a top-level noun, which are in the folder of its name.
 * @param lacking the commands that have no transcript yet, for example `topic find`
 */
export function describeTranscripts(noun: string, lacking: readonly string[] = []): void {
  describe(`weir ${noun}`, () => {
    replayAll(`test/transcripts/${noun}/**/*.txt`);

    it('has a transcript for every command', async () => {
      const without = await commandsWithoutTranscript((path) => path[0] === noun);
      const first = `${(without[0] ?? noun).replaceAll(' ', '/')}.txt`;
      expect(
        without,
        `write command lines into test/transcripts/${first}, and add what they print with --update`,
      ).toEqual([...lacking].sort());
    });
  });
}

/** Declares a test for each transcript that the pattern finds. */
export function replayAll(pattern: string): void {
  it.each(globSync(pattern).sort())('prints what %s shows', async (path) => {
    const text = readFileSync(path, 'utf8');
    expect(stepsOf(text).length, `${path} has three command lines or more`).toBeGreaterThan(2);
    const home = mkdtempSync(homePrefix);
    await using _quotas = path.includes('/quotas/') ? await alone('quotas') : undefined;
    try {
      await expect(await replay(text, home)).toMatchFileSnapshot(resolve(path));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
}

/** The commands whose transcript is missing or does not run them, sorted. */
export async function commandsWithoutTranscript(isMeant: (path: readonly string[]) => boolean): Promise<string[]> {
  const missing: string[] = [];
  for (const path of (await ownCommands()).filter(isMeant)) {
    const file = `test/transcripts/${path.join('/')}.txt`;
    const isThere = existsSync(file) && (await commandsOf(readFileSync(file, 'utf8'))).has(path.join(' '));
    if (!isThere) missing.push(path.join(' '));
  }
  return missing.sort();
}

/** The paths of all commands, hidden ones too, but not those that are another name for a shown one. */
export async function ownCommands(): Promise<readonly (readonly string[])[]> {
  const leaves = leavesOf(await walkTree(commands));
  const shown = new Set(leaves.filter(({ command }) => !command.hidden).map(({ command }) => command.run));
  return leaves.filter(({ command }) => !command.hidden || !shown.has(command.run)).map(({ path }) => path);
}

async function commandsOf(text: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const words of stepsOf(text).flatMap(({ line }) => weirLinesOf(line)))
    found.add((await findCommand(commands, words)).path.join(' '));
  return found;
}
