import { describe, expect, test } from 'vitest';
import type { KafkaOptions } from '../../../../src/kafka/protocol/options.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { clientOf, deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { type Peers, scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const there = { Metadata: metadataAnswer({ brokers: [] }) };
const seeds = ['one:9092', 'two:9092'];

/** A client in virtual time; `metadata` returns its outcome and time. */
function started(peers: Peers, firstContact?: KafkaOptions['firstContact'], brokers = seeds) {
  const clock = createVirtualClock();
  const links = scriptedLinks(peers);
  const deadline = deadlineOf({ retry: 10_000, overhead: 1_000 }, clock);
  const options = { dial: links.dial, deadline, ...(firstContact && { firstContact }), isDefaultAddress: true };
  const client = clientOf(brokers, {}, options);
  async function metadata(): Promise<string> {
    const outcome = client.metadata([]).then(
      () => 'answered',
      ({ code }: { readonly code: string }) => code,
    );
    const result = outcome.then((what) => `${what} at ${clock.now()}`);
    await clock.runFor(20_000);
    client.close();
    return result;
  }
  return { clock, links, client, metadata };
}

describe('with firstContact: stop', () => {
  test.each([
    ['refuse', () => 'CONNECTION_REFUSED', 'UNREACHABLE'],
    ['have names that do not resolve', () => 'DNS_FAILED', 'UNREACHABLE'],
    ['do one of both', (host: string) => (host === 'one' ? 'CONNECTION_REFUSED' : 'DNS_FAILED'), 'UNREACHABLE'],
  ] satisfies [string, Peers, string][])('seeds that all %s end the command at once, with advice', async (_, peers) => {
    const { client } = started(peers, 'stop');
    const error = await failureOf(client.metadata([]));
    expect(error).toMatchObject({ exitCode: 5, retryable: false });
    expect(error.message).toContain('unable to connect to any of 2 brokers');
    expect(error.hints.slice(-2)).toEqual([
      'start a broker on this machine: weir sandbox start',
      'or use a broker that is already running: weir profile create NAME --set brokers=HOST:PORT',
    ]);
    client.close();
  });

  test.each(['ApiVersions', 'Metadata'])(
    'a broker that only closes connections, at %s, ends at the third',
    async (api) => {
      const { clock, client, links } = started(() => ({ ...there, [api]: 'drop' }), 'stop', ['one:9092']);
      const error = await clock.runUntil(failureOf(client.metadata([])));
      expect(error).toMatchObject({
        code: api === 'Metadata' ? 'CONNECTION_LOST' : 'CONNECTION_CLOSED',
        exitCode: 5,
        retryable: false,
      });
      expect(error.hints.join()).toContain(api === 'Metadata' ? 'requires SASL' : 'uses TLS');
      expect(links.of(api)).toHaveLength(3);
      client.close();
    },
  );

  test('seeds that accept connections and answer nothing end the command after one request each', async () => {
    const { clock, client, links } = started(() => ({ ApiVersions: 'silent' }), 'stop');
    const failing = failureOf(client.metadata([]));
    await clock.runFor(2_000);
    const error = await failing;
    expect(error).toMatchObject({ exitCode: 5, code: 'NO_ANSWER', retryable: false });
    expect(error.message).toContain('broker two:9092: it accepted the connection, but the ApiVersions request timed');
    expect(error.hints).toEqual(['check that it is a Kafka port; if its listener uses TLS, add -X tls.enabled=true']);
    expect(links.connections).toBe(2);
    client.close();
  });

  test('the timeout of a command that several silent seeds use up asks about the address as well', async () => {
    const clock = createVirtualClock();
    const links = scriptedLinks(() => ({ ApiVersions: 'silent' }));
    const deadline = deadlineOf({ overhead: 1_000, command: 1_500 }, clock);
    const client = clientOf(seeds, {}, { dial: links.dial, deadline, firstContact: 'stop' });
    const failing = failureOf(client.metadata([]));
    await clock.runFor(1_500);
    const error = await failing;
    expect(error.code).toBe('COMMAND_TIMEOUT');
    expect(error.message).toContain('last failure: unable to connect to broker one:9092: it accepted the connection');
    expect(error.hints[0]).toContain('check that it is a Kafka port');
    client.close();
  });

  test('a seed that answers nothing does not keep the command from the next one', async () => {
    const { metadata } = started((host) => (host === 'one' ? { ApiVersions: 'silent' } : there), 'stop');
    expect(await metadata()).toBe('answered at 1000');
  });

  test('a connection that was accepted and then closed is retried, even if it is refused afterwards', async () => {
    const { metadata } = started(
      (_, dials) => (dials === 1 ? { ApiVersions: 'drop' } : dials < 4 ? 'CONNECTION_REFUSED' : there),
      'stop',
      ['one:9092'],
    );
    expect(await metadata()).toBe('answered at 1750');
  });

  test.each(['TLS_FAILED', 'DIAL_TIMEOUT'] as const)('a seed that ends in %s is retried', async (code) => {
    const { metadata } = started(
      (host, dials) => (dials > 4 ? there : host === 'one' ? 'CONNECTION_REFUSED' : code),
      'stop',
    );
    expect(await metadata()).toBe('answered at 750');
  });

  test('a broker that was reached before is retried when it refuses', async () => {
    const peers: Peers = (_, dials) =>
      dials === 1 ? { Metadata: [there.Metadata, 'drop'] } : dials < 4 ? 'CONNECTION_REFUSED' : there;
    const { client, metadata } = started(peers, 'stop', ['one:9092']);
    await client.metadata([]);
    expect(await metadata()).toBe('answered at 1750');
  });

  test('a name that worked before is looked up again', async () => {
    const peers: Peers = (_, dials) =>
      dials === 1 ? { Metadata: [there.Metadata, 'drop'] } : dials < 4 ? 'DNS_FAILED' : there;
    const { client, metadata } = started(peers, 'stop', ['one:9092']);
    await client.metadata([]);
    expect(await metadata()).toBe('answered at 1750');
  });
});

test.each(['CONNECTION_REFUSED', 'DNS_FAILED'] as const)('with firstContact: retry %s is retried', async (code) => {
  const { metadata } = started((_, dials) => (dials < 5 ? code : there), 'retry');
  expect(await metadata()).toBe('answered at 750');
});

test.each([
  ['CONNECTION_REFUSED', 'answered at 750'],
  ['DNS_FAILED', 'DNS_FAILED at 0'],
] as const)('by default %s ends as: %s', async (code, outcome) => {
  const { metadata } = started((_, dials) => (dials < 5 ? code : there));
  expect(await metadata()).toBe(outcome);
});
