import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/errors.ts';
import { openStage } from '../transcripts/stage.ts';
import { run } from '../world.ts';

test('V2: the exit codes keep their numbers, and an error its keys', async () => {
  expect(exitCodes).toEqual({
    ok: 0,
    failure: 1,
    usage: 2,
    notFound: 3,
    auth: 4,
    unreachable: 5,
    conflict: 6,
    checkFailed: 10,
    hangup: 129,
    interrupted: 130,
    brokenPipe: 141,
    terminated: 143,
  });
  const { stderr } = await run('topic creat --format json');
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'UNKNOWN_COMMAND',
      message: 'unknown command "creat" for "weir topic"',
      hint: 'did you mean "create"? see weir topic --help',
      target: 'creat',
      retryable: false,
    },
  });
});

test('U1, U2: a command connects to the services that its options name, and to nothing else', async () => {
  const stage = await openStage(['brokers', 'registry']);
  const ports = new Set<string>();
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => ports.add(String(socket.remotePort)));
  };
  subscribe('net.client.socket', note);
  for (const line of ['version', 'config show', 'help topic', 'topic list', 'registry subject list'])
    expect(await run(line, { env: stage.env, terminal: { stdout: true, stderr: true } })).toMatchObject({
      exitCode: 0,
    });
  unsubscribe('net.client.socket', note);
  await stage.close();
  const named = Object.values(stage.env).flatMap((value) => value.match(/(?<=:)\d+/g) ?? []);
  expect([...ports].sort()).toEqual(named.sort());
});
