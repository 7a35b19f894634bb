import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Asker, askLine, askName, askSecret, askYesNo } from '../../src/cli/prompt.ts';
import type { Signal } from '../../src/host/host.ts';

/** Someone at a terminal, or at standard input without one, who has not typed anything yet. */
function someone({ hasTerminal = true }: { readonly hasTerminal?: boolean } = {}) {
  const seen = { shown: '', closed: 0, modes: [] as boolean[], raised: [] as Signal[], takers: 0 };
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      seen.shown += chunk.toString();
      done();
    },
  });
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => seen.modes.push(isRaw) });
  const stop = new AbortController();
  let taker: (signal: Signal) => void = () => undefined;
  const close = () => {
    seen.closed += 1;
  };
  const asker = {
    host: {
      stderr: { stream, isTerminal: true },
      openTerminal: () => (hasTerminal ? { input, write: () => undefined, close } : undefined),
      stdin: { stream: input },
      raise: (signal: Signal) => seen.raised.push(signal),
    },
    signal: stop.signal,
    handSignals(listener: typeof taker) {
      seen.takers += 1;
      taker = listener;
      return () => {
        seen.takers -= 1;
      };
    },
  } as unknown as Asker;
  return {
    seen,
    input,
    asker,
    abort: () => stop.abort(new Error('too late')),
    send: (signal: Signal) => taker(signal),
  };
}

const [ctrlC, ctrlD, ctrlH, ctrlU, del] = ['\u0003', '\u0004', '\u0008', '\u0015', '\u007f'];

test.each<[string, readonly string[], string | undefined]>([
  ['keys until Enter', ['s3', 'cret', '\r', 'more'], 's3cret'],
  ['keys until a line feed', ['s3cret\nmore'], 's3cret'],
  ['nothing', ['\r'], ''],
  ['a key that erases', [`ab${del}c\r`], 'ac'],
  ['the other key that erases', [`ab${ctrlH}c\r`], 'ac'],
  ['more erasing than there are keys', [`a${del}${del}b\r`], 'b'],
  ['a key that erases the line', [`abc${ctrlU}d\r`], 'd'],
  ['the other key that erases the line', ['abc\u0017d\r'], 'd'],
  ['without arrows and the like', ['a\u001b[Db\u001b', '[3~c\u001bOHd\u001b[1;5Ce\r'], 'abcde'],
  ['the end of input after keys', [`abc${ctrlD}`], 'abc'],
  ['the end of input at once', [ctrlD], undefined],
  ['the end of input after everything was erased', [`a${del}${ctrlD}`], undefined],
  ['characters that are one key', [`a😀${del}b\r`], 'ab'],
])('a secret is %s', async (_, typed, answer) => {
  const { seen, input, asker } = someone();
  const asked = askSecret(asker, 'pass: ');
  for (const keys of typed) input.write(keys);
  expect(await asked).toBe(answer);
  expect(seen).toEqual({ shown: 'pass: \n', closed: 1, modes: [true, false], raised: [], takers: 0 });
  expect([input.listenerCount('data'), input.listenerCount('error')]).toEqual([0, 0]);
});

test.each(['a\u001a', 'a\tb', '\u001bb'])('control keys do not become part of a secret: %j', async (typed) => {
  const { seen, input, asker } = someone();
  const asked = askSecret(asker, 'pass: ');
  input.write(`${typed}\r`);
  await expect(asked).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/contains a control key/) });
  expect(seen).toMatchObject({ closed: 1, modes: [true, false] });
});

test('a character that arrives in two parts is one key', async () => {
  const { input, asker } = someone();
  const asked = askSecret(asker, 'pass: ');
  for (const bytes of [[0xc3], [0xa9, 0x0d]]) input.write(Buffer.from(bytes));
  expect(await asked).toBe('é');
});

test('Ctrl-C in a secret is sent as a signal, and typing goes on until it arrives', async () => {
  const { seen, input, asker, send } = someone();
  const asked = askSecret(asker, 'pass: ');
  input.write(`ab${ctrlC}`);
  await expect.poll(() => seen.raised).toEqual(['SIGINT']);
  send('SIGINT');
  await expect(asked).rejects.toMatchObject({ exitCode: 130, code: 'INTERRUPTED' });
  expect(seen).toMatchObject({ closed: 1, modes: [true, false], takers: 0, shown: 'pass: \n' });
  expect(input.listenerCount('data')).toBe(0);
});

test.each<[string, (person: ReturnType<typeof someone>) => void]>([
  ['the signal of the command', ({ abort }) => abort()],
  ['the end of the stream', ({ input }) => input.end()],
  ['an error of the stream', ({ input }) => input.destroy(new Error('EIO'))],
])('a secret ends without an answer after %s', async (_, end) => {
  const person = someone();
  const asked = askSecret(person.asker, 'pass: ');
  person.input.write('abc');
  end(person);
  expect(await asked).toBeUndefined();
  expect(person.seen).toMatchObject({ closed: 1, modes: [true, false], takers: 0 });
});

test('without a terminal a secret is read from standard input, which is paused after it', async () => {
  const { seen, input, asker } = someone({ hasTerminal: false });
  const asked = askSecret(asker, 'pass: ');
  input.write('s3cret\r');
  expect([await asked, input.isPaused(), seen.closed]).toEqual(['s3cret', true, 0]);
});

test('nothing is asked once the signal of the command has been aborted', async () => {
  const { seen, asker, abort } = someone();
  abort();
  expect(await askSecret(asker, 'pass: ')).toBeUndefined();
  await expect(askLine(asker, 'which? ')).rejects.toThrow('too late');
  expect(seen).toMatchObject({ shown: '', modes: [], closed: 0 });
});

test('a line without a terminal has no answer, and nothing is shown', async () => {
  const { seen, asker } = someone({ hasTerminal: false });
  expect([await askLine(asker, 'which? '), seen.shown]).toEqual([undefined, '']);
});

test('P3: the end of input at a line ends it on the screen, too', async () => {
  const { seen, input, asker } = someone();
  const asked = askLine(asker, 'which? ');
  input.end();
  expect([await asked, seen.shown, seen.closed, seen.takers]).toEqual([undefined, 'which? \n', 1, 0]);
});

test('a terminal that hangs up at a line is the end of its input', async () => {
  const { seen, input, asker } = someone();
  const asked = askLine(asker, 'which? ');
  input.destroy(new Error('EIO'));
  expect([await asked, seen.closed, seen.takers]).toEqual([undefined, 1, 0]);
});

test('a signal at a line ends the wait and the line, and a timeout only the wait', async () => {
  const one = someone();
  const asked = askLine(one.asker, 'which? ');
  one.send('SIGHUP');
  await expect(asked).rejects.toMatchObject({ exitCode: 129, message: 'ended by SIGHUP' });
  expect(one.seen).toMatchObject({ shown: 'which? \n', closed: 1, takers: 0 });
  const other = someone();
  const late = askLine(other.asker, 'which? ');
  other.abort();
  await expect(late).rejects.toThrow('too late');
  expect(other.seen).toMatchObject({ shown: 'which? ', closed: 1, takers: 0 });
});

test.each([
  ['y', true],
  [' YES ', true],
  ['Y', true],
  ['ye', false],
  ['yes!', false],
  ['no', false],
  ['', false],
])('the answer %j to a yes-or-no question is %s', async (typed, answer) => {
  const { input, asker } = someone();
  input.write(`${typed}\n`);
  expect(await askYesNo(asker, 'sure?')).toBe(answer);
});

test.each([
  ['prod', true],
  ['  prod ', true],
  ['Prod', false],
  ['pro', false],
  ['y', false],
])('the typed name %j confirms "prod": %s', async (typed, answer) => {
  const { input, asker } = someone();
  input.write(`${typed}\n`);
  expect(await askName(asker, 'sure?', 'prod')).toBe(answer);
});

test('what is asked about cannot write to the terminal', async () => {
  const { seen, input, asker } = someone();
  const asked = askName(asker, 'a\u001b[2J?', 'b\u001b[2J');
  input.end('\n');
  await asked;
  const secret = askSecret({ ...asker, host: { ...asker.host, openTerminal: () => undefined } }, 'c\u001b[2J: ');
  await secret;
  expect(seen.shown).not.toContain('\u001b');
});
