import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import './services/services.ts';
import { commandsWithoutTranscript, ownCommands, replayAll } from './transcripts/all-of.ts';
import { homePrefix, replay } from './transcripts/replay.ts';

describe('the transcripts', () => {
  // Those of a noun are in the folder of its name; `transcripts/<noun>.test.ts` runs them.
  replayAll('test/transcripts/*.txt');

  it('exist for every command without a noun', async () => {
    expect(await commandsWithoutTranscript((path) => path.length === 1)).toEqual([]);
  });

  it('belong to a test file for each noun', async () => {
    const nouns = (await ownCommands()).filter(({ length }) => length > 1).map(([noun = '']) => noun);
    const folders = globSync('test/transcripts/*/').map((path) => path.split('/')[2] ?? '');
    const untested = [...new Set([...nouns, ...folders])].filter(
      (noun) => !existsSync(`test/transcripts/${noun}.test.ts`),
    );
    expect(untested).toEqual([]);
  });
});

describe('a replay', () => {
  async function replayed(text: string, format?: string): Promise<string> {
    const home = mkdtempSync(homePrefix);
    try {
      return await replay(text, home, format === undefined ? {} : { format });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }

  it('uses another format where a result is shown and no format is named', async () => {
    const text = '# services: brokers\n$ weir topic list > list.txt\n$ cat list.txt\n$ weir topic list\n';
    expect(await replayed(`${text}$ weir topic list --format text\n$ weir topic list | cat\n`, 'json')).toBe(
      [
        '# services: brokers',
        '$ weir topic list > list.txt',
        '$ cat list.txt',
        'NAME  PARTITIONS  REPLICAS',
        '$ weir topic list',
        '[]',
        '$ weir topic list --format text',
        'NAME  PARTITIONS  REPLICAS',
        '$ weir topic list | cat',
        'NAME  PARTITIONS  REPLICAS',
        '',
      ].join('\n'),
    );
  });

  it('marks output that looks like a part of a transcript, so that the next replay is the same', async () => {
    const text = "# services: brokers\n$ printf '# a\\n\\n$ b\\n\\n'\n$ cat\n";
    const once = await replayed(text);
    expect(once).toBe("# services: brokers\n$ printf '# a\\n\\n$ b\\n\\n'\n| # a\n\n| $ b\n|\n$ cat\n");
    expect(await replayed(once)).toBe(once);
  });
});
