import { describe, expect, test } from 'vitest';
import type { CliError } from '../../../../src/errors.ts';
import type { CreateTopicsCall, TopicCreation } from '../../../../src/kafka/cluster/topics/topic-rows.ts';

type Created = Awaited<ReturnType<typeof createTopics>>[number];

import { createTopics } from '../../../../src/kafka/cluster/topics/topics.ts';
import { createTopicsAnswer } from '../../../services/scripted-answers.ts';
import type { Reaction } from '../../../services/scripted-broker.ts';
import { clientOf, deadlineOf } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { type ToldTopic, topicAnswer } from './topic-answer.ts';

const none: ToldTopic = { leaders: [], errorCode: 3 };
const asAsked: ToldTopic = { leaders: [1, 1], replicas: [1, 2, 3] };
const timedOut = createTopicsAnswer('foo', 7);
const alreadyExists = createTopicsAnswer('foo', 36);
const mayBeOurs = 'it did not exist when this command began, so this command may have created it';

interface Scene {
  readonly creation: Reaction;
  /** What metadata tells, look by look; the last one stays. */
  readonly told: readonly ToldTopic[];
  readonly call?: Partial<TopicCreation & Pick<CreateTopicsCall, 'ifNotExists'>>;
}

/** Creates `foo` with two partitions of three replicas. */
async function create({ creation, told, call = {} }: Scene) {
  const clock = createVirtualClock(1);
  const looks = told.map((topic) => topicAnswer([{ address: { host: 'b', port: 9092 } }], topic));
  let sent = 0;
  const links = scriptedLinks({
    Metadata: looks,
    CreateTopics: () => {
      sent += 1;
      return creation;
    },
  });
  const deadline = deadlineOf({ retry: 10_000 }, clock);
  await using client = clientOf(['b:9092'], {}, { dial: links.dial, deadline });
  const { ifNotExists = false, ...size } = call;
  const topic = { topic: 'foo', partitions: 2, replicas: 3, configs: [], ...size };
  const work = createTopics(client, { topics: [topic], ifNotExists });
  const outcome: readonly Created[] | CliError = await clock.runUntil(work).catch((error: CliError) => error);
  return { outcome, sent, endedAt: clock.now() };
}

describe.each<[string, Reaction]>([
  ['the answer is lost', 'drop'],
  ['the brokers did not finish in time', timedOut],
])('when %s', (_when, creation) => {
  test('a topic that was not there before and is as it was asked for is created', async () => {
    const { outcome, sent } = await create({ creation, told: [none, none, asAsked] });
    expect(outcome).toMatchObject([{ status: undefined, partitions: 2, replicas: 3, error: null }]);
    expect(sent).toBe(1);
  });

  test('the sizes of the cluster are those that were asked for', async () => {
    const call = { partitions: -1, replicas: -1 };
    const { outcome } = await create({ creation, told: [none, asAsked], call });
    expect(outcome).toMatchObject([{ status: undefined, partitions: 2, replicas: 3, error: null }]);
  });

  test.each<[string, ToldTopic, string]>([
    ['partitions', { ...asAsked, leaders: [1] }, 'the topic exists now (partitions: 1, replicas: 3)'],
    ['replicas', { ...asAsked, replicas: [1] }, 'the topic exists now (partitions: 2, replicas: 1)'],
  ])('a topic of other %s is reported as perhaps created', async (_what, topic, text) => {
    const { outcome } = await create({ creation, told: [none, topic] });
    expect(messageOf(outcome)).toContain(`${text}; ${mayBeOurs}`);
  });

  test('a topic that was there before proves nothing, but for --if-not-exists', async () => {
    const plain = await create({ creation, told: [asAsked] });
    expect(messageOf(plain.outcome)).toMatch(/^lost broker|^the brokers did not finish/);
    const { outcome } = await create({ creation, told: [asAsked], call: { ifNotExists: true } });
    expect(outcome).toMatchObject([{ status: 'NOT_NEEDED', error: null }]);
  });

  test('a topic that does not appear within five seconds is reported as before', async () => {
    const { outcome, endedAt } = await create({ creation, told: [none] });
    expect(messageOf(outcome)).toMatch(/^lost broker|^the brokers did not finish/);
    expect(messageOf(outcome)).not.toContain(mayBeOurs);
    expect(endedAt).toBeGreaterThan(4_000);
    expect(endedAt).toBeLessThan(6_000);
  });
});

describe('a topic that exists already', () => {
  test('although it did not when the command began may be the one that it created', async () => {
    const { outcome } = await create({ creation: alreadyExists, told: [none, asAsked] });
    expect(outcome).toMatchObject([{ error: { code: 'TOPIC_ALREADY_EXISTS', exit_code: 6 } }]);
    expect(messageOf(outcome)).toBe(`a topic with this name already exists; ${mayBeOurs}`);
  });

  test('and did when the command began is not', async () => {
    const { outcome } = await create({ creation: alreadyExists, told: [asAsked] });
    expect(messageOf(outcome)).toBe('a topic with this name already exists');
  });
});

function messageOf(outcome: readonly Created[] | CliError): string {
  return outcome instanceof Error ? outcome.message : (outcome[0]?.error?.message ?? '');
}
