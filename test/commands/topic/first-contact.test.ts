import { describe, expect, test } from 'vitest';
import { skipPauses } from '../../skipped-pauses.ts';
import { run, splitLine, temporaryDirectory } from '../../world.ts';

/** An address without a listener: unlike one that was just in use, it stays free. */
const address = '127.0.0.1:1';

describe('the first contact', () => {
  test('ends the command after one attempt if nothing listens, and says what to do', async () => {
    const { stderr, exitCode } = await run(`topic list -X brokers=${address} --trace -`);
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`unable to connect to broker ${address}: TCP: connection refused`);
    expect(stderr).toContain(`hint: check every step with: weir doctor -X brokers=${address}\n`);
    expect(stderr).not.toContain('sandbox');
    expect(stderr).not.toContain('attempt 2');
    expect(stderr).not.toContain('retry_timeout');
  });

  test.each([
    ['fresh', 'start the sandbox "fresh": weir sandbox start --name fresh'],
    ['sandbox', 'start the sandbox "sandbox": weir sandbox start'],
  ])('with the profile of the sandbox %s names the command that starts it', async (name, hint) => {
    const home = temporaryDirectory();
    const create = `profile create ${name} --set brokers=${address} --description`;
    await run([...splitLine(create), 'created by weir sandbox start'], { home });
    expect((await run('topic list', { home })).stderr).toContain(`hint: ${hint}\n`);
    expect((await run('doctor', { home })).stdout).toMatch(new RegExp(`listener +${hint}$`, 'm'));
    const elsewhere = await run(`topic list -X brokers=${address}`, { home });
    expect(elsewhere.stderr).toContain(`hint: check every step with: weir doctor -X brokers=${address}\n`);
    await run(`profile set description=mine`, { home });
    const secret = 'topic list -X user=ana -X pass=s3cret -X globals.command_timeout=9s';
    expect((await run(`${secret} --profile ${name}`, { home })).stderr).toContain(
      `hint: check every step with: weir doctor --profile ${name} -X user=ana\n`,
    );
  });

  test('names the profiles if none is selected, and only for the default address', async () => {
    const home = temporaryDirectory();
    const failing = async (flags = '') => (await run(`registry subject list ${flags}`, { home })).stderr;
    await run('profile create prod --set brokers=b.example:9092', { home });
    await run('profile clear', { home });
    expect(await failing()).toContain('hint: select the profile with: weir profile use prod\n');
    await run('profile create lab --set brokers=c.example:9092', { home });
    await run('profile clear', { home });
    expect(await failing()).toContain('hint: select a profile with: weir profile use NAME (prod, lab)\n');
    expect(await failing(`-X registry.hosts=${address}`)).not.toContain('profile use');
    expect(await failing('--profile lab')).not.toContain('profile use');
  });

  test.each([
    ['a flag', '-X globals.retry_timeout=300ms', {}],
    ['the environment', '', { WEIR_GLOBALS_RETRY_TIMEOUT: '300ms' }],
  ])('is repeated for as long as the retry timeout that comes from %s', async (_, flag, env) => {
    skipPauses();
    const { stderr, exitCode } = await run(`topic list -X brokers=${address} ${flag}`, { env });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/gave up on Metadata after \d attempts/);
  });
});
