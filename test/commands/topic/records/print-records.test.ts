import { expect, it } from 'vitest';
import type { CompleteRequest } from '../../../../src/commands/topic/consume-request.ts';
import { printRecords } from '../../../../src/commands/topic/records/print-records.ts';
import type { Context } from '../../../../src/context.ts';
import { exitCodes } from '../../../../src/errors.ts';
import type { Kafka } from '../../../../src/kafka/open.ts';

/** Prints records from nowhere, and returns what happens on the screen. */
async function shown(
  terminals: { readonly stdout: boolean; readonly stderr: boolean },
  isSearch: boolean,
  { said = [], last = 'b' }: { readonly said?: readonly string[]; readonly last?: string } = {},
) {
  const seen: string[] = [];
  const filter = { scanned: () => 1_000, explanation: () => [], summary: () => [] };
  const kafka = {
    consume: async ({ onPrinted }: { onPrinted(printed: number): void }) => ({
      hasTopics: true,
      stop: () => undefined,
      async pump(sink: { write(chunk: Uint8Array): unknown }) {
        sink.write(Buffer.from('a\n'));
        onPrinted(1);
        sink.write(Buffer.from(last));
        return 2;
      },
    }),
  };
  const context = {
    host: { stdout: { isTerminal: terminals.stdout }, stderr: { isTerminal: terminals.stderr } },
    kafka: async () => kafka as unknown as Kafka,
    onStop: () => () => undefined,
    notice: (line: string) => void seen.push(`notice ${line}`),
    progress: (title: string) => ({
      report: ({ done, detail = '' }: { done?: number; detail?: string }) => seen.push(`${title} ${done} ${detail}`),
      clear: () => seen.push('clear'),
      end: () => seen.push('end'),
    }),
  } as unknown as Context;
  const request = {
    topics: ['t'],
    range: { start: { at: 'start' }, end: undefined },
    limit: Infinity,
    formatSource: { layout: '%v' },
    filter: isSearch ? filter : undefined,
  };
  const output = await printRecords(context, request as unknown as CompleteRequest, {
    ending({ notice }) {
      for (const line of said) notice(line);
      return exitCodes.ok;
    },
  });
  if (output.type === 'raw') await output.pump({ write: (chunk) => void seen.push(Buffer.from(chunk).toString()) });
  return seen;
}

it('an endless search shows its progress between the lines of its matches', async () => {
  const both = await shown({ stdout: true, stderr: true }, true);
  expect(both).toEqual(['clear', 'a\n', 'search 1000 1 matched', 'end', 'b', 'end']);
  expect(await shown({ stdout: false, stderr: true }, true)).toEqual(['a\n', 'search 1000 1 matched', 'b', 'end']);
});

it('without conditions or a terminal, an endless read shows none', async () => {
  expect(await shown({ stdout: true, stderr: true }, false)).toEqual(['a\n', 'b']);
  expect(await shown({ stdout: true, stderr: false }, true)).toEqual(['a\n', 'b']);
});

it('on one terminal, what is said at the end begins on a line of its own', async () => {
  const both = { stdout: true, stderr: true };
  const said = ['2 of 1,000 records', 'more'];
  const inLine = await shown(both, false, { said });
  expect(inLine).toEqual(['a\n', 'b', 'notice ', 'notice 2 of 1,000 records', 'notice more']);
  const whole = await shown(both, false, { said, last: 'b\n' });
  expect(whole).toEqual(['a\n', 'b\n', 'notice 2 of 1,000 records', 'notice more']);
  const elsewhere = await shown({ stdout: true, stderr: false }, false, { said });
  expect(elsewhere).toEqual(['a\n', 'b', 'notice 2 of 1,000 records', 'notice more']);
  expect(await shown(both, false)).toEqual(['a\n', 'b']);
});
