import { expect, test } from 'vitest';
import { type ChosenApi, chooseApi } from '../../src/commands/api-choice.ts';
import type { Source } from '../../src/config/config.ts';
import type { Context } from '../../src/context.ts';
import { CliError, unreachableError } from '../../src/errors.ts';
import { openKafka } from '../../src/kafka/open.ts';
import { metadataAnswer, versionsAnswer } from '../services/scripted-answers.ts';
import { startScriptedBroker } from '../services/scripted-broker.ts';
import { deadlineOf } from '../services/scripted-client.ts';

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
