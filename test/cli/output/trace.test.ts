import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTrace } from '../../../src/cli/output/trace.ts';
import { realHost } from '../../../src/host/host.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { run, temporaryDirectory } from '../../world.ts';

const event = {
  api: 'cloud',
  method: 'GET',
  url: 'http://x/',
  status: 200,
  milliseconds: 1,
  sentBytes: 2,
  receivedBytes: 3,
};

/** A named pipe and its reader; `read` returns what is in it. */
function pipe() {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const read = () => {
    const buffer = Buffer.alloc(1024 * 1024);
    try {
      return buffer.subarray(0, readSync(reader, buffer)).toString();
    } catch {
      return ''; // empty
    }
  };
  return { path, read, leave: () => closeSync(reader) };
}

test('each request is one line, written at once', async () => {
  const path = join(temporaryDirectory(), 'trace');
  const trace = openTrace(path, realHost());
  trace.write(event);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(event);
  await trace.close();
});

test('a full disk is reported once, at the latest on closing', async () => {
  const trace = openTrace('/dev/full', realHost());
  const failures: string[] = [];
  trace.onFailure(({ message }) => failures.push(message));
  trace.write(event);
  trace.write(event);
  expect(failures).toEqual([expect.stringMatching(/^unable to write the trace: ENOSPC/)]);
  await expect(trace.close()).rejects.toMatchObject({ exitCode: 1, code: 'TRACE_FAILED' });
});

test('a pipe without a reader is an error, not a hang', () => {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  expect(() => openTrace(path, realHost())).toThrow(`unable to write the trace: no program reads the pipe ${path}`);
});

test('a trace in a directory that does not exist names the directory', () => {
  const directory = join(temporaryDirectory(), 'none');
  expect(() => openTrace(join(directory, 'trace'), realHost())).toThrow(
    `unable to write the trace to ${directory}/trace: the directory ${directory} does not exist`,
  );
});

test('a reader that goes away is reported', async () => {
  const { path, leave } = pipe();
  const trace = openTrace(path, realHost());
  const failures: string[] = [];
  trace.onFailure(({ message }) => failures.push(message));
  trace.write(event);
  leave();
  trace.write(event);
  expect(failures).toEqual(['unable to write the trace: the reader closed the pipe']);
  await expect(trace.close()).rejects.toThrow('the reader closed the pipe');
});

test('a slow reader gets everything', async () => {
  const { path, read, leave } = pipe();
  const trace = openTrace(path, realHost());
  const long = { ...event, url: 'x'.repeat(50_000) };
  for (let count = 0; count < 5; count += 1) trace.write(long); // more than a pipe holds
  // However long this takes, the two seconds that a reader has do not pass.
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  let text = '';
  const closed = trace.close();
  const reading = setInterval(() => {
    text += read();
  }, 1);
  await closed;
  clearInterval(reading);
  text += read();
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).url.length),
  ).toEqual(Array(5).fill(50_000));
  leave();
});

test('a reader that stops reading is given up', async () => {
  const { path, leave } = pipe();
  const trace = openTrace(path, realHost());
  const failures: string[] = [];
  trace.onFailure(({ message }) => failures.push(message));
  const long = { ...event, url: 'x'.repeat(500_000) };
  for (let count = 0; count < 4; count += 1) trace.write(long);
  expect(failures).toEqual(['unable to write the trace: the reader is too slow']);
  await expect(trace.close()).rejects.toThrow('the reader is too slow');
  leave();
});

test('a command whose trace cannot be written ends at once', async () => {
  await using broker = await startScriptedBroker({ ApiVersions: 'drop' });
  const { host, port } = broker.address;
  const { stderr, exitCode } = await run(`topic list -X brokers=${host}:${port} --trace /dev/full`);
  expect(stderr).toContain('weir: unable to write the trace: ENOSPC');
  expect(exitCode).toBe(1);
});

test('times are rounded to a thousandth of a millisecond', async () => {
  const path = join(temporaryDirectory(), 'trace');
  const trace = openTrace(path, realHost());
  trace.write({ ...event, milliseconds: 0.12345678 });
  await trace.close();
  expect(JSON.parse(readFileSync(path, 'utf8')).milliseconds).toBe(0.123);
});

test('a trace with an absolute path needs no working directory', () => {
  const path = join(temporaryDirectory(), 'trace');
  const gone = () => {
    throw new Error('no working directory');
  };
  openTrace(path, Object.create(realHost(), { cwd: { get: gone } })).write(event);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(event);
});
