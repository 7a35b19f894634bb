import { describe, expect, test } from 'vitest';
import { apiFlag, byApi, type ChosenApi, chooseApi } from '../../src/cli/by-api.ts';
import { entry, noun, one } from '../../src/cli/command.ts';
import type { Source } from '../../src/config/config.ts';
import type { Context } from '../../src/context.ts';
import { CliError, unreachableError, usageError } from '../../src/errors.ts';
import { openKafka } from '../../src/kafka/open.ts';
import { text } from '../../src/kinds.ts';
import { row, string } from '../../src/shape/shape.ts';
import { metadataAnswer, versionsAnswer } from '../services/scripted-answers.ts';
import { startScriptedBroker } from '../services/scripted-broker.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { run, type World } from '../world.ts';

interface Scene {
  readonly brokers?: Source;
  readonly adminHosts?: Source;
  readonly asked?: ChosenApi;
  /** What the brokers say, or why they do not; null if they do not know. */
  readonly isRedpanda?: boolean | null | CliError;
}

/** Returns the choice and how often the brokers were asked. */
async function choiceIn({ brokers = 'default', adminHosts = 'default', asked, isRedpanda = false }: Scene) {
  let questions = 0;
  const steps: string[] = [];
  const context: Pick<Context, 'step'> & { config(): unknown; kafka(): unknown } = {
    step: (line) => steps.push(line),
    config: async () => ({ setting: (key: string) => ({ source: key === 'brokers' ? brokers : adminHosts }) }),
    kafka: async () => ({
      async isRedpanda() {
        questions += 1;
        if (isRedpanda instanceof CliError) throw isRedpanda;
        return isRedpanda ?? undefined;
      },
    }),
  };
  const api = await chooseApi(context as unknown as Context, asked);
  return { api, questions, steps };
}

test.each<[string, Scene, ChosenApi, number]>([
  ['the flag decides, although the brokers would say otherwise', { asked: 'kafka', isRedpanda: true }, 'kafka', 0],
  ['the flag decides for the Admin API', { asked: 'admin', brokers: 'flag' }, 'admin', 0],
  ['the Admin API is configured', { adminHosts: 'env' }, 'admin', 0],
  [
    'both are configured, as for every command of the Admin API',
    { adminHosts: 'profile', brokers: 'profile' },
    'admin',
    0,
  ],
  ['only brokers are configured, of Redpanda', { brokers: 'flag', isRedpanda: true }, 'admin', 1],
  ['only brokers are configured, of another cluster', { brokers: 'flag' }, 'kafka', 1],
  ['nothing is configured', {}, 'kafka', 1],
  ['the brokers have no cluster id', { brokers: 'flag', isRedpanda: null }, 'kafka', 1],
])('%s', async (_, scene, api, questions) => {
  expect(await choiceIn(scene)).toMatchObject({ api, questions });
});

test('-v says which one was chosen and why', async () => {
  expect((await choiceIn({ adminHosts: 'env' })).steps).toEqual(['using the Admin API: admin.hosts is set']);
  expect((await choiceIn({ isRedpanda: true })).steps).toEqual(['using the Admin API: the cluster is Redpanda']);
  expect((await choiceIn({})).steps).toEqual(['using the Kafka API']);
});

test('brokers that do not answer are an error', async () => {
  const failure = unreachableError('no broker', { hints: ['first'] });
  await expect(choiceIn({ brokers: 'flag', isRedpanda: failure })).rejects.toBe(failure);
});

test.each([
  ['redpanda.2a1cfb0e-54f2-4d4c-9dd8-22b7ab0e0a5c', true],
  ['redpanda.initializing', true],
  ['MkU3OEVBNTcwNTJENDM2Qk', false],
  ['redpandas', false],
  [undefined, undefined],
])('the cluster id %s is one of Redpanda: %s; it is read once', async (clusterId, expected) => {
  await using broker = await startScriptedBroker({
    ApiVersions: versionsAnswer(),
    Metadata: metadataAnswer({ brokers: [{ id: 1, host: '127.0.0.1', port: 1 }], clusterId }),
  });
  const kafka = openKafka({
    ...{ brokers: [broker.address], tls: undefined, sasl: undefined, clientId: 'weir-test', deadline: deadlineOf() },
  });
  expect([await kafka.isRedpanda(), await kafka.isRedpanda()]).toEqual([expected, expected]);
  expect(broker.journal.filter(({ api }) => api === 'Metadata')).toHaveLength(1);
  kafka.close();
});

describe('a verb that reads over either API', () => {
  /** The verb `thing get`, and what has been called of it. */
  function getting() {
    const calls: string[] = [];
    const get = byApi({
      summary: 'Print it',
      description: 'Prints the thing.',
      notes: 'It stays.',
      examples: [['One', 'thing get a']],
      args: { name: one(text, 'NAME', 'name of the thing') },
      flags: { api: apiFlag },
      result: row({ thing: string }),
      read(_context, { name }) {
        calls.push('read');
        if (name === 'none') throw usageError('there is no such thing');
        return { thing: name.toUpperCase() };
      },
      kafka: { help: 'The Kafka API reads twice.', run: (_context, { thing }) => ({ thing: `${thing}${thing}` }) },
      admin: {
        help: 'The Admin API reads once.',
        examples: [['Once', 'thing get a --api admin']],
        run: (_context, { thing }) => ({ thing }),
      },
      show: { text: ({ thing }) => `${thing}\n` },
    });
    const commands = [entry('thing', 'Things', async () => noun({ summary: 'Things', commands: { get } }))];
    const weir = (line: string, world: World = {}) => run(`thing get ${line}`, { commands, ...world });
    return { get, weir, calls };
  }

  test('reads over the chosen API', async () => {
    const { weir, calls } = getting();
    expect((await weir('a --api kafka')).stdout).toBe('AA\n');
    expect((await weir('a --api admin')).stdout).toBe('A\n');
    expect(calls).toEqual(['read', 'read']);
  });

  test('values are checked before an API is chosen', async () => {
    const { weir, calls } = getting();
    const { stderr, exitCode } = await weir('none', { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stderr: stderr.split('\n')[0], exitCode }).toEqual({
      stderr: 'weir: there is no such thing',
      exitCode: 2,
    });
    expect(calls).toEqual(['read']);
  });

  test('the help says how the API is chosen, what is special about each, and shows the examples of both', () => {
    const { description, examples, apis } = getting().get;
    expect(description?.split('\n\n')).toEqual([
      'Prints the thing.',
      expect.stringMatching(/^Uses the Admin API if [\s\S]*\nThe Kafka API reads twice. The Admin API reads once.$/),
      'It stays.',
    ]);
    expect(examples.map(([purpose]) => purpose)).toEqual(['One', 'Once']);
    expect(apis).toEqual(['kafka', 'admin']);
  });
});
