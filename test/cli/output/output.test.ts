import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type Command, command, entry, type Result } from '../../../src/cli/command.ts';
import { createPrinter } from '../../../src/cli/output/output.ts';
import { toJson } from '../../../src/cli/output/render.ts';
import { table } from '../../../src/format/table.ts';
import { exact, leftOut, listOf, type RowOf, row, string, truth } from '../../../src/shape/shape.ts';
import { stillAlive } from '../../collected.ts';
import { run as runIn, type World } from '../../world.ts';

const item = row({ name: string, size: leftOut(exact), failed: leftOut(truth) });

type Row = RowOf<typeof item>;

const examples = [
  ['One', 'print'],
  ['Two', 'print --format json'],
] as const;

/** A tree whose one command, `print`, returns the result. */
function printing(result: () => Result<readonly Row[]>, world: World = {}) {
  const print: Command = command({
    summary: 'Print',
    examples,
    changes: 'reads',
    result: listOf(item),
    run: result,
    show: {
      text: (rows, view) =>
        table(
          ['name'],
          rows.map(({ name }) => [name]),
          view,
        ),
      wide: (rows, view) =>
        table(
          ['name', 'size'],
          rows.map(({ name, size }) => [name, size]),
          view,
        ),
      exitCode: (rows) => (rows.some(({ failed }) => failed) ? 1 : 0),
    },
  });
  const commands = [entry('print', 'Print', async () => print)];
  return (line: string) => runIn(line, { commands, ...world });
}

const rows: readonly Row[] = [
  { name: 'a', size: 1 },
  { name: '日本', size: 2n ** 63n },
];
const ok = { stderr: '', exitCode: 0 };

describe('rows', () => {
  test.each([
    ['print', 'NAME\na\n日本\n'],
    ['print --format wide', 'NAME  SIZE\na     1\n日本  9223372036854775808\n'],
    ['print --format wide --no-headers', 'a     1\n日本  9223372036854775808\n'],
    ['print --format json', '[{"name":"a","size":1},{"name":"日本","size":9223372036854775808}]\n'],
    ['print --format JSON', '[{"name":"a","size":1},{"name":"日本","size":9223372036854775808}]\n'],
    ['print --format yaml', '- name: a\n  size: 1\n- name: 日本\n  size: 9223372036854775808\n'],
  ])('%s', async (line, stdout) => {
    expect(await printing(() => rows)(line)).toEqual({ stdout, ...ok });
  });

  test('the schema is printed without running the command', async () => {
    const { stdout, exitCode } = await printing(() => {
      throw new Error('it ran');
    })('print --format schema');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'array', items: { required: ['name'] } });
  });

  test('items that failed are printed, and the exit code reports the failure', async () => {
    const failed = [{ name: 'a', failed: true }, { name: 'b' }];
    expect(await printing(() => failed)('print')).toEqual({ stdout: 'NAME\na\nb\n', stderr: '', exitCode: 1 });
    expect(await printing(() => failed)('print --format json')).toMatchObject({ exitCode: 1 });
  });

  test('O8: cells wrap to the width of a terminal, but not with wide or in a pipe', async () => {
    const long = [{ name: 'one two three four five six', size: 1 }];
    const narrow = { terminal: { stdout: 20 } };
    expect((await printing(() => long, narrow)('print')).stdout).toBe('NAME\none two three four\nfive six\n');
    expect((await printing(() => long, { ...narrow, env: { COLUMNS: '14' } })('print')).stdout).toBe(
      'NAME\none two three\nfour five six\n',
    );
    expect((await printing(() => long, narrow)('print --format wide')).stdout).toContain('one two three four five six');
    expect((await printing(() => long)('print')).stdout).toContain('one two three four five six');
  });

  test('JSON is indented on a terminal and is one line elsewhere', async () => {
    const rows = [{ name: 'a' }];
    expect((await printing(() => rows)('print --format json')).stdout.split('\n')).toHaveLength(2);
    const shown = (await printing(() => rows, { terminal: { stdout: 80 } })('print --format json')).stdout;
    expect(shown).toMatch(/^\[\n {2}\{\n {4}"name": "a"/);
  });
});

describe('streams', () => {
  async function* stream(): AsyncGenerator<readonly Row[]> {
    yield [{ name: 'a', failed: true }];
    yield [{ name: 'b' }];
  }

  test.each([
    ['print --no-headers', 'a\nb\n'],
    ['print --format json', '[{"name":"a","failed":true}]\n[{"name":"b"}]\n'],
    ['print --format yaml', '---\n- name: a\n  failed: true\n---\n- name: b\n'],
  ])('%s: one document per item, and the first failure is the exit code', async (line, stdout) => {
    expect(await printing(stream)(line)).toEqual({ stdout, stderr: '', exitCode: 1 });
  });

  test('finished bytes go out as they are', async () => {
    const raw = {
      type: 'raw' as const,
      async pump(sink: { write(chunk: Uint8Array): Promise<void> | undefined }) {
        await sink.write(Buffer.from('a'));
        await sink.write(Buffer.from('b'));
        return 10;
      },
    };
    expect(await printing(() => raw)('print')).toEqual({ stdout: 'ab', stderr: '', exitCode: 10 });
  });
});

describe('the printer', () => {
  test('waits for a slow reader', async () => {
    const waiting: (() => void)[] = [];
    const stream = new Writable({ highWaterMark: 4, write: (_, __, done) => void waiting.push(done) });
    const printer = createPrinter({ stream, isTerminal: false, columns: undefined });
    expect(printer.write('ab')).toBeUndefined();
    const full = printer.write('cdef');
    let caughtUp = false;
    const watch = full?.then(() => {
      caughtUp = true;
    });
    await new Promise(setImmediate);
    expect(caughtUp).toBe(false);
    for (let at = 0; at < 2; at++) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    await watch;
    expect(caughtUp).toBe(true);
  });

  test('flushes what is written before, even on a stream that calls back an empty write at once, as those of Bun do', async () => {
    const waiting: (() => void)[] = [];
    const stream = new Writable();
    stream.write = (chunk: unknown, done?: unknown): boolean => {
      const written = done as () => void;
      if (chunk === '') written();
      else waiting.push(written);
      return false;
    };
    const printer = createPrinter({ stream, isTerminal: false, columns: undefined });
    void printer.write('abc');
    void printer.write('def');
    let flushed = false;
    const flush = printer.flush().then(() => {
      flushed = true;
    });
    await new Promise(setImmediate);
    waiting.shift()?.();
    await new Promise(setImmediate);
    expect(flushed).toBe(false);
    waiting.shift()?.();
    await flush;
    await printer.flush();
  });

  test('reports once that the reader went away, and rejects pending writes', async () => {
    const stream = new Writable({ highWaterMark: 1, write: () => {} });
    const printer = createPrinter({ stream, isTerminal: false, columns: undefined });
    const told: number[] = [];
    printer.onFailure(({ exitCode }) => told.push(exitCode));
    const waiting = printer.write('abc');
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await expect(waiting).rejects.toMatchObject({ exitCode: 141, code: 'BROKEN_PIPE' });
    await expect(printer.flush()).rejects.toMatchObject({ exitCode: 141 });
    expect(told).toEqual([141]);
  });

  test('keeps no listeners after a wait', async () => {
    const stream = new Writable({ highWaterMark: 4, write: (_, __, done) => setImmediate(done) });
    const printer = createPrinter({ stream, isTerminal: false, columns: undefined });
    const waits: WeakRef<object>[] = [];
    for (let at = 0; at < 100; at++) {
      const waiting = printer.write('abcdef');
      if (waiting !== undefined) waits.push(new WeakRef(waiting));
      await waiting;
    }
    await printer.flush();
    expect(waits).toHaveLength(100);
    expect(await stillAlive(waits)).toBeLessThan(5);
    expect(stream.listenerCount('drain')).toBe(0);
  });

  test('a full disk is reported as an error', async () => {
    const stream = new Writable({
      write: (_, __, done) => done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
    });
    const printer = createPrinter({ stream, isTerminal: false, columns: undefined });
    printer.write('abc')?.catch(() => {});
    await expect(printer.flush()).rejects.toMatchObject({
      exitCode: 1,
      message: 'unable to write to standard output: no space left on device',
    });
  });
});

test('numbers beyond 2^53 keep their digits in JSON', () => {
  expect(toJson({ offset: 9007199254740993n })).toBe('{"offset":9007199254740993}');
});
