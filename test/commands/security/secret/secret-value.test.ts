import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readValue } from '../../../../src/commands/security/secret/value.ts';
import type { Context } from '../../../../src/context.ts';

// The API never shows a value, so that no command could tell.
test('a value keeps its spaces and line ends, but for one line end after what was read', async () => {
  const stdin = { stream: Readable.from([Buffer.from(' a\r\n b \r\n\r\n')]), isTerminal: false };
  const context = {
    host: { stdin },
    signal: new AbortController().signal,
    warn: () => undefined,
  } as unknown as Context;
  const none = { value: undefined, valueStdin: false, valueFile: undefined };
  expect(await readValue(context, { ...none, valueStdin: true })).toBe(' a\r\n b \r\n');
  expect(await readValue(context, { ...none, value: ' a \n' })).toBe(' a \n');
});
