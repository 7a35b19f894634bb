import { afterEach, describe, expect, it } from 'vitest';
import { type Deadline, startDeadline } from '../../src/deadline.ts';
import { startChain } from '../../src/doctor/chain.ts';
import { CliError, exitCodes, unreachableError } from '../../src/errors.ts';

const second = 1_000_000_000n;
const opened: Deadline[] = [];

function chainOf() {
  const deadline = startDeadline({
    ...{ dial: second, requestOverhead: second, retry: second },
    ...{ command: 30n * second, fetchMaxWait: second },
  });
  opened.push(deadline);
  return { deadline, chain: startChain({ api: 'kafka', target: 'b:9092', peer: 'broker b:9092' }, deadline) };
}

afterEach(() => {
  for (const deadline of opened.splice(0)) deadline.dispose();
});

const timeout = new CliError(exitCodes.unreachable, 'the command timed out', { code: 'COMMAND_TIMEOUT' });
const found = { value: 7, detail: 'found' };

describe('a chain of checks', () => {
  it('returns what a step has found', async () => {
    const { chain } = chainOf();
    expect(await chain.run('dns', () => found)).toBe(7);
    expect(chain.checks).toMatchObject([{ step: 'dns', status: 'ok', detail: 'found', hints: [], error_code: null }]);
    expect(chain.isOver).toBe(false);
  });

  it('skips what follows a failed step, with its name', async () => {
    const { chain } = chainOf();
    const error = unreachableError('unable to connect to broker b:9092: TCP: no route', { code: 'X', hints: ['do'] });
    await chain.run('tcp', () => Promise.reject(error));
    expect(await chain.run('tls', () => found)).toBeUndefined();
    expect(chain.failure).toBe(error);
    expect(chain.checks).toMatchObject([
      { step: 'tcp', status: 'failed', detail: 'no route', hints: ['do'], error_code: 'X' },
      { step: 'tls', status: 'skipped', detail: 'tcp failed', duration_ms: null },
    ]);
  });

  it('replaces the result of a step that fails later', () => {
    const { chain } = chainOf();
    chain.add('tls', found, 1);
    chain.add('api_versions', found, 1);
    chain.fail('tls', unreachableError('no certificate'), 1);
    expect(chain.checks.map(({ step, status }) => `${step} ${status}`)).toEqual(['tls failed', 'api_versions ok']);
  });

  it('fails the running step and skips the others when the command times out', async () => {
    const { chain, deadline } = chainOf();
    await chain.run('tcp', async () => {
      deadline.abort(timeout);
      throw new Error('whatever the connection says');
    });
    const later = startChain({ api: 'kafka', target: 'c:9092', peer: '' }, deadline);
    await later.run('dns', () => found);
    expect([...chain.checks, ...later.checks]).toMatchObject([
      { status: 'failed', error_code: 'COMMAND_TIMEOUT' },
      { status: 'skipped', detail: 'the command timed out' },
    ]);
  });

  it('throws the reason of any other end', async () => {
    const { chain, deadline } = chainOf();
    const interrupted = new CliError(exitCodes.interrupted, 'ended by SIGINT', { code: 'INTERRUPTED' });
    deadline.abort(interrupted);
    await expect(chain.run('dns', () => found)).rejects.toBe(interrupted);
    expect(() => chain.fail('dns', unreachableError('cut'), 1)).toThrow(interrupted);
  });

  it('does not hide a bug', async () => {
    const { chain } = chainOf();
    await expect(chain.run('dns', () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  });
});
