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

describe('a verb that two APIs can do', () => {
  /** The verb `thing wipe`, and what has been called of it. */
  function wiping() {
    const calls: string[] = [];
    const wipe = byApi({
      summary: 'Wipe it',
      description: 'Wipes the thing.',
      notes: 'It does not come back.',
      examples: [['One', 'thing wipe a']],
      args: { name: one(text, 'NAME', 'name of the thing') },
      flags: { api: apiFlag },
      changes: 'destroys',
      result: row({ wiped: string }),
      read(_context, { name, dryRun }) {
        calls.push('read');
        if (name === 'none') throw usageError('there is no such thing');
        return { thing: name.toUpperCase(), dryRun };
      },
      kafka: {
        help: 'The Kafka API wipes twice.',
        plan(_context, { thing }) {
          calls.push('kafka plan');
          return { twice: `${thing}${thing}` };
        },
        confirm: (_context, _values, { twice }) => ({ question: `Wipe ${twice}`, name: twice }),
        dryRun: (_context, _values, { twice }) => ({ wiped: `would be ${twice}` }),
        run: (_context, { thing }, { twice }) => ({ wiped: `${thing}: ${twice}` }),
      },
      admin: {
        help: 'The Admin API wipes once.',
        examples: [['Once', 'thing wipe a --api admin']],
        confirm: (_context, { thing }) => (thing === 'DUST' ? null : { question: `Wipe ${thing}`, name: thing }),
        run: (_context, { thing, dryRun }) => ({ wiped: dryRun ? `${thing} would be` : thing }),
      },
      show: { text: ({ wiped }) => `${wiped}\n` },
    });
    const commands = [entry('thing', 'Things', async () => noun({ summary: 'Things', commands: { wipe } }))];
    const weir = (line: string, world: World = {}) => run(`thing wipe ${line}`, { commands, ...world });
    return { wipe, weir, calls };
  }

  const person = { terminal: { stdin: true, stderr: true }, env: { NO_COLOR: '1' } } as const;

  test('runs the way of the chosen API, with its own plan', async () => {
    const { weir, calls } = wiping();
    expect((await weir('a --api kafka --yes')).stdout).toBe('A: AA\n');
    expect(calls).toEqual(['read', 'kafka plan']);
    expect((await weir('a --api admin --yes')).stdout).toBe('A\n');
    expect(calls).toEqual(['read', 'kafka plan', 'read']);
  });

  test('a dry run shows the plan, or runs a way that has none with --dry-run', async () => {
    const { weir } = wiping();
    expect((await weir('a --api kafka --dry-run')).stdout).toBe('would be AA\n');
    expect((await weir('a --api admin --dry-run')).stdout).toBe('A would be\n');
  });

  test('asks the question of the way, which names the address of its API', async () => {
    const { weir } = wiping();
    const kafka = await weir('a --api kafka', { ...person, stdin: 'n\n' });
    expect(kafka.stderr).toContain('Wipe AA on localhost:9092 (no profile)? [y/N] ');
    const admin = await weir('a --api admin', { ...person, stdin: 'y\n' });
    expect(admin.stderr).toContain('Wipe A on localhost:9644 (no profile)? [y/N] ');
    expect([kafka.exitCode, admin.exitCode]).toEqual([1, 0]);
    expect(await weir('dust --api admin', person)).toMatchObject({ stderr: '', exitCode: 0 });
  });

  test('values are checked before an API is chosen', async () => {
    const { weir, calls } = wiping();
    const { stderr, exitCode } = await weir('none', { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect({ stderr: stderr.split('\n')[0], exitCode }).toEqual({
      stderr: 'weir: there is no such thing',
      exitCode: 2,
    });
    expect(calls).toEqual(['read']);
  });

  test('the help says how the API is chosen, what is special about each, and shows the examples of both', () => {
    const { description, examples, apis } = wiping().wipe;
    expect(description?.split('\n\n')).toEqual([
      'Wipes the thing.',
      expect.stringMatching(/^Uses the Admin API if [\s\S]*\nThe Kafka API wipes twice. The Admin API wipes once.$/),
      'It does not come back.',
    ]);
    expect(examples.map(([purpose]) => purpose)).toEqual(['One', 'Once']);
    expect(apis).toEqual(['kafka', 'admin']);
  });
});
