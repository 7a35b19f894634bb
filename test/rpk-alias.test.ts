import { describe, expect, test } from 'vitest';
import { readPage } from './guides/blocks.ts';
import { newMachine } from './guides/machine.ts';
import { services } from './services/services.ts';

const page = readPage('docs/guides/coming-from.md');

/** The lines of the section about the alias, each with the exit code that it promises. */
const rows = page.lines.flatMap((line, at) => {
  const [, typed, exitCode] = /^\| `(rpk [^`]+)`[^|]*\|[^|]*\| (\d+): /.exec(line) ?? [];
  return typed === undefined ? [] : [{ at: at + 1, typed, exitCode: Number(exitCode) }];
});

describe('with alias rpk=weir, a line of the guide', { shuffle: false }, () => {
  test.each(rows)('in line $at ends as the guide says: $typed', async ({ typed, exitCode }) => {
    const machine = await newMachine({ env: () => ({ WEIR_BROKERS: services().plaintext }) });
    const outcome = await machine.runLine(typed.replace(/^rpk/, 'weir'));
    expect({ ...outcome, exitCode: outcome.exitCode }).toMatchObject({ exitCode });
  });

  test('is one of twelve', () => expect(rows).toHaveLength(12));
});
