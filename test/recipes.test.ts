import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Block, readPage, stepsOf } from './guides/blocks.ts';
import './services/services.ts';
import { openStage } from './transcripts/stage.ts';
import { temporaryDirectory } from './world.ts';

const page = readPage('docs/project/architecture.md');
const node = resolve('node_modules/node/bin/node');

/** The lines between the heading `## How to add …` and the next one of its level. */
const start = page.lines.indexOf('## How to add …');
const end = page.lines.findIndex((line, at) => at > start && line.startsWith('## '));
const blocks = page.blocks.filter(({ from }) => from > start && (end < 0 || from < end));
const copy = temporaryDirectory();

function linesOf({ from, to }: Block): readonly string[] {
  return page.lines.slice(from, to);
}

/** Changes a file of the copy: ` ` keeps a line, `-` removes and `+` adds one; `…` skips lines. */
function applyDiff(file: string, diff: readonly string[]): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  let at = 0;
  for (const part of diff.join('\n').split('\n…\n')) {
    const changes = part.split('\n').map((line) => ({ sign: line[0], text: line.slice(1) }));
    const before = changes.filter(({ sign }) => sign !== '+').map(({ text }) => text);
    const after = changes.filter(({ sign }) => sign !== '-').map(({ text }) => text);
    at = lines.findIndex((_, from) => from >= at && before.every((text, next) => lines[from + next] === text));
    expect(at, `${file} has the lines "${before.join('\n')}"`).toBeGreaterThanOrEqual(0);
    lines.splice(at, before.length, ...after);
    at += after.length;
  }
  writeFileSync(file, lines.join('\n'));
}

beforeAll(() => {
  for (const path of ['src', 'bin', '.ci', 'package.json', 'tsconfig.json']) {
    cpSync(path, join(copy, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const block of blocks) {
    const [language, file = ''] = block.language.split(' ');
    if (language === 'ts') writeFileSync(join(copy, file), `${linesOf(block).join('\n')}\n`);
    if (language === 'diff') applyDiff(join(copy, file), linesOf(block));
  }
  // Bundling takes six seconds of processor time, and test/smoke/ runs a bundle.
  mkdirSync(join(copy, 'dist'));
  writeFileSync(join(copy, 'dist/main.js'), "export * from '../src/main.ts';\n");
});

describe('what is added as docs/project/architecture.md says', () => {
  // Another language than in the guides, whose commands exist.
  const transcripts = blocks.filter(({ language }) => language === 'transcript');
  const steps = transcripts.flatMap((block) => stepsOf(page, { ...block, language: 'console' }));

  test.each(steps.map((step) => ({ ...step, shown: page.lines.slice(step.outputFrom, step.outputTo).join('\n') })))(
    '$command',
    async ({ command, shown }) => {
      const stage = await openStage(['brokers']);
      try {
        const { stdout, stderr, exitCode } = await execa({
          shell: true,
          env: { ...stage.env, HOME: copy },
        })`${command.replace(/(?<=^|\s)weir /g, `${node} ${join(copy, 'bin/weir.js')} `)}`;
        expect({ stdout, stderr, exitCode }).toEqual({ stdout: shown, stderr: '', exitCode: 0 });
      } finally {
        await stage.close();
      }
    },
  );

  test('has the right types', async () => {
    const { stdout } = await execa(
      resolve('node_modules/.bin/tsc'),
      ['-p', '.', '--incremental', 'false', '--singleThreaded'],
      {
        cwd: copy,
        reject: false,
      },
    );
    expect(stdout).toBe('');
  });

  test('an option that is added is in the table', async () => {
    const { options } = (await import(
      join(copy, 'src/config/options.ts')
    )) as typeof import('../src/config/options.ts');
    expect(options.map(({ key }) => key)).toContain('rack');
  });

  test('takes at most ten lines of a file each, apart from imports, comments and brackets', () => {
    for (const block of blocks) {
      const own = linesOf(block).filter((line) => !/^[+ ]?import |^[\s})\];+…]*$|^\s*\/\*\*/.test(line));
      expect(own.length, block.language).toBeLessThanOrEqual(13);
    }
  });
});
