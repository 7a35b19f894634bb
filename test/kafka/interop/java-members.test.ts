import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/kafka/protocol/client/client.ts';
import { consumerGroupDescribe } from '../../../src/kafka/protocol/wire/apis/consumer-group-describe.ts';
import { describeGroupState } from '../../commands/topic/group-state.ts';
import { fill, linesOf, newTopic, weir } from '../../commands/topic/records-world.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import { type ConsoleMember, consoleMember } from './console-tools.ts';

const partitions = 4;
const records = 200;
// Programs of Java need long to start on a busy machine, and several run at once.
const limitMs = 300_000;
const waiting = { timeout: 100_000, interval: 50 };
const assignors = 'org.apache.kafka.clients.consumer';

/** How both sides assign partitions: the flags of weir, the properties of the Java consumer. */
const ways = [
  ['range', ['-b', 'range'], [`partition.assignment.strategy=${assignors}.RangeAssignor`]],
  ['round-robin', ['-b', 'roundrobin'], [`partition.assignment.strategy=${assignors}.RoundRobinAssignor`]],
  ['sticky', ['-b', 'sticky'], [`partition.assignment.strategy=${assignors}.StickyAssignor`]],
  [
    'cooperative-sticky',
    ['-b', 'cooperative-sticky'],
    [`partition.assignment.strategy=${assignors}.CooperativeStickyAssignor`],
  ],
  ['what each has by default', [], []],
  ['the classic and the consumer protocol', [], ['group.protocol=consumer']],
  ['the consumer protocol', ['--group-protocol', 'consumer'], ['group.protocol=consumer']],
] as const;

/** A member of either kind. */
interface Member extends ConsoleMember {
  readonly name: string;
}

function weirMember(topic: string, group: string, flags: readonly string[]): Member {
  let [text, interrupt] = ['', (): void => undefined];
  const done = weir(['topic', 'consume', topic, '-g', group, '-f', 'Partition:%p\\t%k\\n', ...flags], {
    onStart: (kill) => {
      interrupt = () => kill('SIGINT');
    },
    onStdout: (chunk) => {
      text += chunk;
    },
  });
  return {
    name: 'weir',
    stdout: () => text,
    async stop() {
      interrupt();
      const { stderr, exitCode } = await done;
      expect({ stderr, exitCode }).toEqual({ stderr: 'stopping (press Ctrl-C again to end at once)\n', exitCode: 130 });
    },
  };
}

/** Writes that many records with consecutive keys to all partitions. */
async function write(topic: string, from: number): Promise<void> {
  const lines = Array.from({ length: records }, (_, index) => `${index % partitions} ${from + index}`);
  await fill(topic, lines, '-p', '0', '-f', '%p %k\\n');
}

/** Number of members with partitions, once the group is stable. */
async function sharing(client: Client, group: string): Promise<number> {
  const { groups } = await client.request(consumerGroupDescribe, { groupIds: [group] }, { group });
  const [found] = groups;
  if (found?.errorCode === 0) {
    const sharing = found.members.filter(({ assignment }) => assignment.topicPartitions.length > 0);
    return found.groupState === 'Stable' ? sharing.length : 0;
  }
  return Number(/^Stable (\d+)$/.exec(await describeGroupState(client, group))?.[1] ?? 0);
}

const partitionsOf = (text: string) => new Set(linesOf(text).map((line) => line.split('\t')[0]));

describe.concurrent.each(ways)('a Java consumer and weir in one group, by %s', (name, flags, settings) => {
  const javaSettings = ['auto.commit.interval.ms=500', ...settings];
  const javaMember = async (topic: string, group: string): Promise<Member> => ({
    name: 'java',
    ...(await consoleMember(topic, group, javaSettings)),
  });

  // Where Java assigns, weir only follows, which is the same without an own state of the assignor.
  const isFollowed = /^(sticky|cooperative|what)/.test(name);

  it('share its partitions, print each record once, and hand over when the other one stays', {
    timeout: limitMs,
  }, async ({ expect }) => {
    const topic = await newTopic(partitions);
    const group = `g-${topic}`;
    await using client = clientOf([services().plaintext], { command: limitMs });
    const members: Member[] = [];
    const printed = () => linesOf(members.map((member) => member.stdout()).join(''));
    let written = 0;
    const writeMore = async (): Promise<void> => {
      await write(topic, written);
      written += records;
      await expect.poll(() => printed().length, waiting).toBeGreaterThanOrEqual(written);
    };
    const join = async (member: Member, count: number): Promise<Member> => {
      members.push(member);
      await expect.poll(() => sharing(client, group), waiting).toBe(count);
      await writeMore();
      return member;
    };
    const leave = async (member: Member): Promise<void> => {
      await member.stop();
      await expect.poll(() => sharing(client, group), waiting).toBe(1);
      await writeMore();
    };
    // The first member leads a classic group, and the one that stays when the leader leaves.
    const first = await join(weirMember(topic, group, flags), 1);
    const java = await join(await javaMember(topic, group), 2);
    expect(partitionsOf(java.stdout()).size).toBe(partitions / 2);
    if (isFollowed) {
      await leave(first);
      const again = await join(weirMember(topic, group, flags), 2);
      expect(partitionsOf(again.stdout()).size).toBe(partitions / 2);
    }
    await leave(java);
    for (const member of members.filter((one) => one !== java && !(isFollowed && one === first))) await member.stop();
    const keys = printed().map((line) => Number(line.split('\t')[1]));
    expect(keys.toSorted((left, right) => left - right)).toEqual(Array.from({ length: written }, (_, key) => key));
  });
});
