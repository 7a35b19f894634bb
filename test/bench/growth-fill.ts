import { setTimeout as pause } from 'node:timers/promises';
import type { CreateTopicsCall } from '../../src/kafka/cluster/topics/topic-rows.ts';
import type { Kafka } from '../../src/kafka/open.ts';
import { openKafka } from '../../src/kafka/open.ts';
import { parseAddress } from '../../src/net/address.ts';
import { deadlineOf } from '../services/scripted-client.ts';

/** How much a cluster holds. */
export interface Size {
  readonly topics: number;
  readonly groups: number;
}

const partitions = 4;
/** Topics that a group has committed offsets of: with a tenth as many groups as topics, each topic has one reader. */
const topicsOfGroup = 10;
/** Kafka creates at most 10,000 partitions with one request; small requests leave it time to create the files. */
const topicsAtOnce = 100;
const groupsAtOnce = 25;
/** Brokers create the files of a topic after it exists; a busy machine takes seconds. */
const readyAttempts = 240;
const readyPauseMs = 250;

/** Adds topics and groups without members to a cluster until it has the given size. */
export async function fillTo(brokers: string, from: Size, to: Size): Promise<void> {
  const deadline = deadlineOf({ overhead: 120_000, retry: 300_000, command: 900_000 });
  const kafka = openKafka({
    brokers: brokers.split(',').map((text) => parseAddress(text, { defaultPort: 9092, scheme: 'none' })),
    tls: undefined,
    sasl: undefined,
    clientId: 'bench',
    deadline,
  });
  try {
    for (const numbers of batches(from.topics, to.topics, topicsAtOnce)) {
      await createTopics(kafka, numbers);
      await untilServed(kafka, numbers.map(topicName));
    }
    for (const numbers of batches(from.groups, to.groups, groupsAtOnce)) {
      await Promise.all(numbers.map((number) => commit(kafka, number, to.topics)));
    }
  } finally {
    kafka.close();
    deadline.dispose();
  }
}

function batches(from: number, to: number, size: number): readonly (readonly number[])[] {
  const count = Math.ceil((to - from) / size);
  return Array.from({ length: count }, (_, at) => {
    const first = from + at * size;
    return Array.from({ length: Math.min(size, to - first) }, (_, more) => first + more);
  });
}

async function createTopics(kafka: Kafka, numbers: readonly number[]): Promise<void> {
  const call: CreateTopicsCall = {
    topics: numbers.map((number) => ({ topic: topicName(number), partitions, replicas: 1, configs: [] })),
    ifNotExists: false,
  };
  for (const { topic, error } of await kafka.createTopics(call)) {
    if (error !== null) throw new Error(`unable to create topic ${topic}: ${error.message}`);
  }
}

/** Commits offset 0 in every partition of the group's topics. */
async function commit(kafka: Kafka, number: number, topics: number): Promise<void> {
  const names = Array.from({ length: topicsOfGroup }, (_, at) => topicName((number * topicsOfGroup + at) % topics));
  const places = [...new Set(names)].flatMap((topic) =>
    Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
  );
  const moves = places.map((place) => ({
    ...place,
    topic_id: null,
    prior_offset: null,
    new_offset: 0n,
    asked_offset: null,
    leader_epoch: -1,
    log_start_offset: 0n,
    log_end_offset: 0n,
    error: null,
  }));
  const rows = await kafka.seekGroup({ group: `growth-${padded(number)}`, moves });
  const [refused] = rows.flatMap(({ error }) => error ?? []);
  if (refused !== undefined) throw new Error(`unable to commit for group ${number}: ${refused.message}`);
}

/**
 * Returns when every partition answers. Brokers learn of topics in order, so each broker then knows all earlier ones as
 * well and accepts commits for them.
 */
async function untilServed(kafka: Kafka, topics: readonly string[]): Promise<void> {
  const call = { topics, regex: false, configs: false, partitions: true, stable: false };
  for (let left = readyAttempts; ; left -= 1) {
    const described = await kafka.describeTopics(call);
    const silent = described.find(
      ({ summary, partitions: rows = [] }) => summary.error !== null || rows.some(({ error }) => error.length > 0),
    );
    if (silent === undefined) return;
    if (left === 0) throw new Error(`topic ${silent.summary.name} is not served`);
    await pause(readyPauseMs);
  }
}

function topicName(number: number): string {
  return `growth-${padded(number)}`;
}

function padded(number: number): string {
  return String(number).padStart(5, '0');
}
