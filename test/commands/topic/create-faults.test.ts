import { beforeEach, describe, expect, it } from 'vitest';
import { createTopicsAnswer, metadataAnswer } from '../../services/scripted-answers.ts';
import { type Script, type ScriptedBroker, startScriptedBroker } from '../../services/scripted-broker.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { run } from '../../world.ts';

/** Runs `topic create foo` against a broker with a scripted answer to CreateTopics. */
async function create(reaction: Script[string]) {
  const broker: ScriptedBroker = await startScriptedBroker({
    Metadata: () => metadataAnswer({ brokers: [{ id: 1, host: '127.0.0.1', port: broker.address.port }] }),
    CreateTopics: reaction,
  });
  const outcome = await run('topic create foo --no-headers', {
    env: { WEIR_BROKERS: `127.0.0.1:${broker.address.port}` },
  });
  await broker.close();
  return { ...outcome, sent: broker.of('CreateTopics').length };
}

describe('topic create, when things go wrong', () => {
  // These brokers never show the topic.
  beforeEach(skipPauses);

  it('looks for the new controller when the broker is not it any more', async () => {
    const outcome = await create([createTopicsAnswer('foo', 41), createTopicsAnswer('foo', 0)]);
    expect(outcome).toEqual({ stdout: 'foo  OK\n', stderr: '', exitCode: 0, sent: 2 });
  });

  it('is not sent again when the answer was lost, and says that it may have been carried out', async () => {
    const { exitCode, stderr, sent } = await create('drop');
    expect({ exitCode, sent }).toEqual({ exitCode: 5, sent: 1 });
    expect(stderr).toContain('check whether the request was carried out');
  });

  it('is not sent again when the brokers did not finish in time', async () => {
    expect(await create(createTopicsAnswer('foo', 7))).toEqual({
      stdout: 'foo  REQUEST_TIMED_OUT: the brokers did not finish within the request timeout\n',
      stderr: 'weir: foo: REQUEST_TIMED_OUT: the brokers did not finish within the request timeout\n',
      exitCode: 5,
      sent: 1,
    });
  });

  it('reports an answer that cannot be decoded', async () => {
    const { exitCode, stderr } = await create(Buffer.of(0));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/unable to read the CreateTopics answer at byte 1: expected \d+ bytes, found \d+/);
  });

  it('shows the code of an unknown error', async () => {
    const { exitCode, stdout } = await create(createTopicsAnswer('foo', 999));
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: 'foo  ERROR_999: the broker answered with error code 999, which weir does not know\n',
    });
  });
});
