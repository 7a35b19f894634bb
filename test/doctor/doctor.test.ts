import { afterEach, describe, expect, it } from 'vitest';
import { type Deadline, startDeadline } from '../../src/deadline.ts';
import { checkAll, type DoctorOptions } from '../../src/doctor/doctor.ts';
import { CliError, exitCodes, usageError } from '../../src/errors.ts';

const second = 1_000_000_000n;
const opened: Deadline[] = [];

/** A checkup of nothing, with changes. */
function options(changed: Partial<DoctorOptions> = {}): DoctorOptions {
  const deadline = startDeadline({
    ...{ dial: second, requestOverhead: second, retry: second },
    ...{ command: 30n * second, fetchMaxWait: second },
  });
  opened.push(deadline);
  const nothing = { skipped: 'not set' };
  return { deadline, kafka: nothing, admin: nothing, registry: nothing, cloud: nothing, ...changed };
}

afterEach(() => {
  for (const deadline of opened.splice(0)) deadline.dispose();
});

const timeout = new CliError(exitCodes.unreachable, 'the command timed out', { code: 'COMMAND_TIMEOUT' });

describe('a checkup', () => {
  it('names the APIs that are not configured, in a fixed order', async () => {
    const checks = await checkAll(options());
    expect(checks.map(({ api, status, detail }) => `${api} ${status} ${detail}`)).toEqual([
      'kafka skipped not set',
      'admin skipped not set',
      'registry skipped not set',
      'cloud skipped not set',
    ]);
  });

  it('continues with the other APIs if the configuration of one is wrong', async () => {
    const wrong = usageError('user is set, but pass is not', { hints: ['set pass'] });
    const checks = await checkAll(options({ kafka: { open: () => Promise.reject(wrong) } }));
    expect(checks).toHaveLength(4);
    expect(checks[0]).toMatchObject({
      ...{ step: 'config', status: 'failed', hints: ['set pass'] },
      ...{ detail: 'user is set, but pass is not', error_code: 'USAGE' },
    });
  });

  it('is no success if the command times out before anything is checked', async () => {
    const late = options();
    late.deadline.abort(timeout);
    await expect(checkAll(late)).rejects.toBe(timeout);
  });
});
