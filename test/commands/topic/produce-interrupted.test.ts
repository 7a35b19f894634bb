import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../../src/host/host.ts';
import { topicAnswer } from '../../kafka/cluster/topics/topic-answer.ts';
import { produceAnswer, producerIdAnswer } from '../../kafka/record-answers.ts';
import { type Reaction, type ScriptedBroker, startScriptedBroker } from '../../services/scripted-broker.ts';
import { withoutSlowLines } from '../../slow-lines.ts';
import { type Outcome, run } from '../../world.ts';

/** A broker that acknowledges the first request and then reacts like this to each; `onSecond` is called with the second. */
async function broker(reaction: (before: number) => Reaction, onSecond: () => void = () => undefined) {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
    InitProducerId: producerIdAnswer(77n),
    Produce({ before }) {
      if (before === 1) onSecond();
      return before === 0 ? produceAnswer(0, 0n) : reaction(before);
    },
  });
  return self.broker;
}

/** Writes `a`; once that is printed, three more lines and half a line; then sends signals, the first with the second request. */
async function interrupted(
  reaction: (before: number) => Reaction,
  signals: readonly Signal[],
  words = '-o %v\\n',
): Promise<Outcome> {
  const stdin = new PassThrough();
  let kill: (signal: Signal) => void = () => undefined;
  const left = [...signals];
  const next = (): void => {
    const signal = left.shift();
    if (signal !== undefined) queueMicrotask(() => kill(signal));
  };
  await using peer = await broker(reaction, next);
  const line = `topic produce foo -X brokers=127.0.0.1:${peer.address.port} ${words}`;
  let isFirst = true;
  const done = run(line.trim().split(' '), {
    stdin,
    onStart: (send) => {
      kill = send;
    },
    onStdout() {
      if (isFirst) stdin.write('b\nc\nd\nhalf');
      isFirst = false;
    },
    onStderr(text) {
      if (text.includes('finishing')) {
        stdin.write(' a line\nnot read any more\n');
        next();
      }
    },
  });
  stdin.write('a\n');
  const { stdout, stderr, exitCode } = await done;
  return { stdout, stderr: withoutSlowLines(stderr), exitCode };
}

describe('a producer that is interrupted while its broker is away', () => {
  test('reads no more, delivers every record it has read once the broker is back, and says so', async () => {
    expect(await interrupted((before) => (before === 1 ? 'drop' : produceAnswer(0, 1n)), ['SIGINT'])).toEqual({
      stdout: 'a\nb\nc\nd\n',
      stderr: 'finishing 3 records; press Ctrl-C again to stop\nWrote 4 records\n',
      exitCode: 130,
    });
  });

  test('ends with the second signal, counts every record, and says how to send the rest', async () => {
    expect(await interrupted(() => 'silent', ['SIGINT', 'SIGINT'])).toEqual({
      stdout: 'a\n',
      stderr: `finishing 3 records; press Ctrl-C again to stop
weir: stopped before all records were written (of 4 records read, 1 was acknowledged; 3 records of topic "foo" partition 0 after offset 0 may or may not have been written: lines 2–4)
hint: compare the end of the partition with lines 2–4 of the input: weir topic consume foo -p 0 -o 1:end
hint: send the rest with the same command, and its input from: sed -n '5,$p' FILE
`,
      exitCode: 130,
    });
  });

  test('counts what it has written, too, if the reader of its reports does not take them before the second signal', async () => {
    await using peer = await broker(() => 'silent');
    let kill: (signal: Signal) => void = () => undefined;
    const abandoned = Promise.withResolvers<void>();
    const stdin = new PassThrough();
    let graceMs: number | undefined;
    const done = run(['topic', 'produce', 'foo', '-o', '%v\\n', '-X', `brokers=127.0.0.1:${peer.address.port}`], {
      stdin,
      onStart: (send) => {
        kill = send;
      },
      onStdout() {
        setImmediate(() => kill('SIGINT'));
        return abandoned.promise;
      },
      onStderr(text) {
        if (text.includes('stopping')) setImmediate(() => kill('SIGINT'));
      },
      onAbandon(_, afterMs) {
        graceMs = afterMs;
        abandoned.resolve();
      },
    });
    // More than a stream takes without asking for a pause.
    stdin.write(`${'a'.repeat(400_000)}\n`);
    const { stderr, exitCode } = await done;
    expect({ stderr: withoutSlowLines(stderr).replace(/Wrote.*\n/, ''), exitCode }).toEqual({
      stderr: `stopping (press Ctrl-C again to end at once)
weir: stopped before all written records were reported (of 1 record read, 1 was acknowledged)
hint: send the rest with the same command, and its input from: sed -n '2,$p' FILE
`,
      exitCode: 130,
    });
    // The reader does not keep the command from ending.
    expect(graceMs).toBe(50);
  });

  test('has the counts and the ranges in JSON, too', async () => {
    const { stderr } = await interrupted(() => 'silent', ['SIGINT', 'SIGTERM'], '--format json -f %v\\n');
    expect(JSON.parse(stderr.slice(stderr.indexOf('{')))).toMatchObject({
      error: {
        code: 'INTERRUPTED',
        records: {
          ...{ read: 4, acknowledged: 1, uncertain: 3, not_sent: 0, numbers_of: 'lines' },
          ...{ uncertain_ranges: [[2, 4]], not_sent_ranges: [] },
        },
      },
    });
  });

  test('reports an error of the broker after the signal with its counts', async () => {
    const { stderr, exitCode } = await interrupted(() => produceAnswer(29), ['SIGINT']);
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(
      /^finishing 3 records; .*\nweir: unable to produce .* TOPIC_AUTHORIZATION_FAILED .* \(of 4 records read, 1 was acknowledged; lines 2–4 were not written\)\n/,
    );
  });
});

describe('however a produce ends, it counts every complete record that it has read', () => {
  test('the input cannot be read', async () => {
    await using peer = await broker(() => produceAnswer(29));
    const stdin = Readable.from(
      (async function* () {
        yield Buffer.from('a\nb\nc\n');
        await new Promise((resolve) => setTimeout(resolve, 300));
        throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
      })(),
    );
    const line = `topic produce foo -o %v\\n -X brokers=127.0.0.1:${peer.address.port}`;
    const { stdout, stderr, exitCode } = await run(line.split(' '), { stdin });
    expect({ stdout, exitCode }).toEqual({ stdout: 'a\nb\nc\n', exitCode: 1 });
    expect(stderr).toBe('weir: unable to read the input: EIO: i/o error, read\n');
  });

  test('a partition does not exist for a record in the middle of a chunk', async () => {
    await using peer = await broker(() => 'silent');
    const words = ['topic', 'produce', 'foo', '-p', '0', '-f', '%p %v\\n', '-o', '%v\\n'];
    const { stdout, stderr } = await run([...words, '-X', `brokers=127.0.0.1:${peer.address.port}`], {
      stdin: '0 a\n7 b\n0 c\nx d\n0 e\n',
    });
    expect(stdout).toBe('a\n');
    expect(stderr).toMatch(
      /^weir: unable to produce record 2: .* \(of 3 records read, 1 was acknowledged; (lines|records) 2–3 were not written\)\n/,
    );
  });
});
