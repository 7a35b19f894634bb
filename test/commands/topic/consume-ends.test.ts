import { expect, it } from 'vitest';
import { openTransaction } from '../cluster/open-transaction.ts';
import '../../services/services.ts';
import { fill, newTopic, weir } from './records-world.ts';

it('--tail prints the last records of all partitions together, in the order of their times', async () => {
  const topic = await newTopic(2);
  await fill(topic, ['1000 a', '3000 c', '5000 e', '6000 f'], '-p', '0', '-f', '%d %v\n');
  await fill(topic, ['2000 b', '4000 d'], '-p', '1', '-f', '%d %v\n');
  const tail = async (count: string) => (await weir(['topic', 'consume', topic, '--tail', count, '-f', '%v'])).stdout;
  expect(await Promise.all(['1', '3', '99'].map(tail))).toEqual(['f', 'def', 'abcdef']);
});

it('--tail counts records: not the markers of transactions, and not what was aborted', async () => {
  const topic = await newTopic();
  await fill(topic, ['x', 'y']);
  // Each aborts the one before: a record and a marker.
  for (let i = 0; i < 10; i += 1) await openTransaction(topic, topic);
  const { stdout } = await weir(['topic', 'consume', topic, '--tail', '1', '--read-committed', '-f', '%v']);
  expect(stdout).toBe('y');
  const found = await weir(['topic', 'consume', topic, '--tail', '1', '--contains', 'x', '-f', '%v']);
  expect(found.stdout).toBe('x');
});

it('--tail takes the last ones, also if the first look has found only some of them', async () => {
  const topic = await newTopic();
  await fill(topic, ['x1', 'x2', 'y', 'x3', 'y']);
  const { stdout } = await weir(['topic', 'consume', topic, '--tail', '2', '--contains', 'x', '-f', '%v ']);
  expect(stdout).toBe('x2 x3 ');
});

it('a group reads to the end of its topics, commits and leaves', async () => {
  const topic = await newTopic(3);
  await fill(topic, ['1'], '-p', '2');
  for (const protocol of ['classic', 'consumer']) {
    const read = () =>
      weir([
        'topic',
        'consume',
        topic,
        '-g',
        `${topic}-${protocol}`,
        '-o',
        ':end',
        '-f',
        '%v',
        '--group-protocol',
        protocol,
      ]);
    expect(await read()).toMatchObject({ stdout: '1', stderr: '', exitCode: 0 });
    const nothing = `the group "${topic}-${protocol}" has nothing left to read in the range :end\n`;
    expect(await read()).toMatchObject({ stdout: '', stderr: nothing, exitCode: 0 });
  }
});

it('--idle ends a read, and a group commits', async () => {
  const topic = await newTopic(2);
  await fill(topic, ['1', '2']);
  const line = ['topic', 'consume', topic, '--idle', '300ms', '-f', '%v'];
  expect(await weir(line)).toMatchObject({ stdout: '12', stderr: '', exitCode: 0 });
  expect(await weir([...line, '-g', topic])).toMatchObject({ stdout: '12', exitCode: 0 });
  expect(await weir([...line, '-g', topic])).toMatchObject({ stdout: '', exitCode: 0 });
});

it('--idle does not count the time of a slow reader', async () => {
  const topic = await newTopic();
  // More than the stream keeps for its reader.
  for (const letter of 'abc') await fill(topic, [letter.repeat(300_000)]);
  const line = ['topic', 'consume', topic, '--idle', '400ms', '--fetch-max-partition-bytes', '1', '-f', '%v'];
  const onStdout = () => new Promise<void>((resolve) => setTimeout(resolve, 1_000));
  const { stdout } = await weir(line, { onStdout });
  expect(stdout.length).toBe(900_000);
});

it('a command timeout that was set ends a read with exit code 5, and a group commits what it has printed', async () => {
  const topic = await newTopic();
  await fill(topic, ['1']);
  const env = { WEIR_GLOBALS_COMMAND_TIMEOUT: '3s' };
  const timed = await weir(['topic', 'consume', topic, '-g', topic, '-f', '%v'], { env });
  expect(timed).toMatchObject({ stdout: '1', exitCode: 5 });
  expect(timed.stderr).toContain('timed out (globals.command_timeout=3s from WEIR_GLOBALS_COMMAND_TIMEOUT)');
  const again = await weir(['topic', 'consume', topic, '-g', topic, '-o', ':end', '-f', '%v']);
  expect(again).toMatchObject({ stdout: '', exitCode: 0 });
});

it('a command timeout that was set ends a produce, which delivers what it has read', async () => {
  const topic = await newTopic();
  // A broker that has just started needs more than a second for the first producer.
  await fill(topic, ['0']);
  const { Readable } = await import('node:stream');
  const stdin = new Readable({ read() {} });
  stdin.push('1\n');
  const line = ['topic', 'produce', topic, '-o', '', '-X', 'globals.command_timeout=1s'];
  const { stderr, exitCode } = await weir(line, { stdin });
  expect([exitCode, stderr]).toEqual([5, expect.stringMatching(/^Wrote 1 record\nweir: the command timed out /)]);
});

it('a read of committed records that an open transaction ends says so', async () => {
  const topic = await newTopic();
  await fill(topic, ['x']);
  await openTransaction(`${topic}-tx`, topic);
  const { stdout, stderr } = await weir(['topic', 'consume', topic, '-o', ':end', '--read-committed', '-f', '%v']);
  const why = `a transaction of "${topic}-tx" is open, 1 more offset`;
  expect([stdout, stderr]).toEqual(['x', `topic "${topic}" partition 0 stops at offset 1: ${why}\n`]);
  const hanging = await weir(['cluster', 'txn', 'find-hanging', '-t', topic]);
  expect(hanging).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`transaction of "${topic}-tx" is open`),
  });
  const listed = await weir(['cluster', 'txn', 'list', '--state', 'ongoing']);
  expect(listed.stdout).toContain(`${topic}-tx`);
});
