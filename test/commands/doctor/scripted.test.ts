import { beforeAll, describe, expect, it } from 'vitest';
import { showHostPort } from '../../../src/net/address.ts';
import { metadataAnswer, versionsAnswer } from '../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../services/scripted-broker.ts';
import { services } from '../../services/services.ts';
import { socksRelay } from '../../services/socks-relay.ts';
import { run } from '../../world.ts';
import { checkOf, examine, statuses } from './examine.ts';

const laterSteps = ['listener skipped', 'authorization skipped'];

/** The metadata of a cluster whose only broker is `broker`. */
const clusterOf = ({ address }: ScriptedBroker): Buffer => metadataAnswer({ brokers: [{ id: 1, ...address }] });

// One test limits the whole command, which must not be spent on loading it.
beforeAll(async () => {
  await using broker = await startScriptedBroker({ Metadata: () => clusterOf(broker) });
  await examine({ WEIR_BROKERS: showHostPort(broker.address) });
});

describe('doctor, with brokers that follow a script', () => {
  it('prints what it has found when the command times out', async () => {
    await using broker = await startScriptedBroker({ ApiVersions: 'silent' });
    const env = { WEIR_BROKERS: showHostPort(broker.address), WEIR_GLOBALS_COMMAND_TIMEOUT: '500ms' };
    const { checks, outcome } = await examine(env);
    expect(outcome.exitCode).toBe(10);
    expect(statuses(checks).slice(1)).toEqual([
      'tcp ok',
      'tls skipped',
      'api_versions failed',
      'sasl skipped',
      'metadata skipped',
      ...laterSteps,
    ]);
    expect(checkOf(checks, 'api_versions')).toMatchObject({
      error_code: 'COMMAND_TIMEOUT',
      detail: expect.stringContaining('globals.command_timeout=500ms'),
    });
  });

  it('walks to every advertised listener through the proxy', async () => {
    const at = (id: number) => ({ id, host: `b${id}.internal.example`, port: 9092 });
    await using broker = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [at(1), at(2), at(3)] }) });
    const relay = await socksRelay(broker.address.port, at(3).host);
    const env = { WEIR_BROKERS: `${at(1).host}:9092`, WEIR_GLOBALS_PROXY: relay.url };
    const { checks, outcome } = await examine(env);
    expect(outcome.exitCode).toBe(10);
    const listeners = checks.filter(({ step }) => step === 'listener');
    expect(listeners.map(({ target, status }) => `${target} ${status}`)).toEqual([
      '1 (b1.internal.example:9092) ok',
      '2 (b2.internal.example:9092) ok',
      '3 (b3.internal.example:9092) failed',
    ]);
    expect(listeners[2]).toMatchObject({
      error_code: 'PROXY_REFUSED',
      detail: expect.stringMatching(
        /^TCP: the proxy at .* answered: no route to host, or no such name \(4\) \(broker 3 /,
      ),
    });
    expect(listeners[2]?.hints[0]).toBe('set advertised.listeners of broker 3 to an address that the proxy can reach');
    expect(new Set(relay.asked)).toEqual(new Set([at(1), at(2), at(3)].map(({ host }) => `${host}:9092`)));
    const refused = await run('topic list', { env: { ...env, WEIR_BROKERS: `${at(3).host}:9092` } });
    expect(refused).toMatchObject({
      stderr: expect.stringContaining('check every step with: weir doctor'),
      exitCode: 5,
    });
  });

  it('says nothing of a missing Admin API beside Redpanda', async () => {
    await using broker = await startScriptedBroker({
      Metadata: () => metadataAnswer({ brokers: [{ id: 1, ...broker.address }], clusterId: 'redpanda.2a1cfb0e' }),
    });
    const { checks } = await examine({ WEIR_BROKERS: showHostPort(broker.address) });
    expect(checkOf(checks, 'config', 'admin')).toMatchObject({ status: 'skipped', detail: 'admin.hosts is not set' });
  });

  it('ends without a result when it is interrupted', async () => {
    let interrupt = (): void => undefined;
    await using broker = await startScriptedBroker({
      ApiVersions: () => {
        interrupt();
        return 'silent';
      },
    });
    const { stdout, exitCode } = await run('doctor', {
      env: { WEIR_BROKERS: showHostPort(broker.address) },
      onStart: (kill) => {
        interrupt = () => kill('SIGINT');
      },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 130 });
  });

  it('warns of an API that the broker does not have', async () => {
    await using broker = await startScriptedBroker({
      ApiVersions: versionsAnswer([[0, -1, -1]]),
      Metadata: () => clusterOf(broker),
    });
    const { checks } = await examine({ WEIR_BROKERS: showHostPort(broker.address) });
    expect(checkOf(checks, 'api_versions')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^broker 127\.0\.0\.1:\d+ does not support Produce; Metadata 9, Fetch 11$/),
    });
  });

  it('does not fail if the broker does not report rights on the cluster', async () => {
    await using broker = await startScriptedBroker({ Metadata: () => clusterOf(broker) });
    const { checks, outcome } = await examine({ WEIR_BROKERS: showHostPort(broker.address) });
    expect(outcome.exitCode).toBe(0);
    expect(checkOf(checks, 'authorization').detail).toBe(
      'the principal sees no topics; rights on the cluster: not reported',
    );
  });

  it('warns if there is no controller', async () => {
    await using broker = await startScriptedBroker({
      Metadata: () => metadataAnswer({ brokers: [{ id: 1, ...broker.address }], controller: -1 }),
    });
    const { checks } = await examine({ WEIR_BROKERS: showHostPort(broker.address) });
    expect(checkOf(checks, 'metadata')).toMatchObject({
      status: 'warning',
      detail: 'cluster scripted, 1 broker, no controller',
      hints: ['see what is wrong with: weir cluster health'],
    });
  });

  it('fails if the cluster has no brokers', async () => {
    await using broker = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [] }) });
    const { checks, outcome } = await examine({ WEIR_BROKERS: showHostPort(broker.address) });
    expect(outcome.exitCode).toBe(10);
    expect(checkOf(checks, 'metadata')).toMatchObject({
      status: 'failed',
      error_code: 'NO_BROKERS',
      detail: 'the broker knows no brokers of its cluster',
      hints: ['wait until the cluster has started', 'see its state with: weir cluster health'],
    });
  });

  it('reports an advertised port that does not exist, and checks the other listeners', async () => {
    await using broker = await startScriptedBroker({
      Metadata: () =>
        metadataAnswer({
          brokers: [
            { id: 2, host: '127.0.0.1', port: 70_000 },
            { id: 1, ...broker.address },
          ],
        }),
    });
    const { checks, outcome } = await examine({ WEIR_BROKERS: showHostPort(broker.address) });
    expect(outcome.exitCode).toBe(10);
    const listeners = checks.filter(({ step }) => step === 'listener');
    expect(listeners.map(({ target, status }) => [target, status])).toEqual([
      [`1 (${showHostPort(broker.address)})`, 'ok'],
      ['2 (127.0.0.1:70000)', 'failed'],
    ]);
    expect(listeners[1]?.hints[0]).toBe(
      'set advertised.listeners of broker 2 to an address that this machine can reach',
    );
  });

  it('reports a step that exceeds its own limit, with the option that raises it', async () => {
    await using broker = await startScriptedBroker({ Metadata: 'silent' });
    const { checks } = await examine({
      WEIR_BROKERS: showHostPort(broker.address),
      WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '100ms',
    });
    expect(checkOf(checks, 'metadata')).toMatchObject({
      ...{ status: 'failed', error_code: 'REQUEST_TIMEOUT' },
      hints: ['raise the limit with -X globals.request_timeout_overhead=DURATION'],
    });
    expect(broker.of('Metadata')).toHaveLength(1);
  });

  it('asks whether the address is a broker port if it takes the connection and answers nothing', async () => {
    await using broker = await startScriptedBroker({ ApiVersions: 'silent' });
    const { checks } = await examine({
      WEIR_BROKERS: showHostPort(broker.address),
      WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '100ms',
    });
    expect(checkOf(checks, 'api_versions')).toMatchObject({
      ...{ status: 'failed', error_code: 'NO_ANSWER' },
      hints: [expect.stringContaining('check that it is a Kafka port')],
    });
    expect(broker.of('ApiVersions')).toHaveLength(1);
  });

  it('reports seed brokers of different clusters', async () => {
    await using broker = await startScriptedBroker({ Metadata: () => clusterOf(broker) });
    const env = { WEIR_BROKERS: `${services().plaintext},${showHostPort(broker.address)}` };
    const { checks, outcome } = await examine(env);
    expect(outcome.exitCode).toBe(10);
    const wrong = checks.filter(({ status }) => status === 'failed');
    expect(wrong.map(({ target, step, error_code: code }) => [target, step, code])).toEqual([
      [showHostPort(broker.address), 'metadata', 'OTHER_CLUSTER'],
    ]);
    const { cluster_id: own } = JSON.parse(
      (await run('cluster info --format json', { env: { WEIR_BROKERS: services().plaintext } })).stdout,
    );
    expect(wrong[0]?.detail).toBe(
      `cluster scripted, but seed broker ${services().plaintext} belongs to cluster ${own}`,
    );
  });
});
