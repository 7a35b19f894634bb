import { type ShadowLink, ShadowPartition, type ShadowTopic } from '../../admin/shadow/link-rows.ts';
import { list, one, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import type { ItemState } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, itemErrorOf, notFoundError, stoppedError, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { excerpt } from '../../format/excerpt.ts';
import { shortList } from '../../format/name-lists.ts';
import { commandText } from '../../format/shell-word.ts';
import { int64, listOf, maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { checkWait, waitFlags, waitFor } from '../cluster/wait.ts';
import { sending } from '../interruption.ts';
import { newTopicName } from '../topic/topic-name.ts';
import { type Copy, isIndependent, lagOf, tellLag, totalLag, withAllPartitions } from './lag.ts';
import { linkName, requireLink } from './link-name.ts';
import { partitionColumns, stateCell } from './link-text.ts';

/** A topic to fail over, with what it would lose. */
const FailedTopic = row({
  topic: string,
  state: maybe(string),
  /** Null if it is not known of a partition. */
  lag: maybe(int64),
  partitions: listOf(ShadowPartition),
});

/** `shadow failover` */
export const failover = change({
  summary: 'Make topics of a shadow link writable, and end their copying',
  description: `Clients can write to a topic once its state is FAILED_OVER, and it is not copied any more: that cannot be undone. The
failover goes on in the background; with --wait, the command ends when it does.

Before the question, and in a dry run, a table shows by partition which records are lost: what the source had when the link
last read from it, and this cluster has not. It misses what the source got after that read, and is "unknown" for a partition
that the link has never read, or whose broker does not answer. Those with lag come first; the others of a topic share a line.

The link stays, and still copies committed offsets, which set groups without members back, ACLs, roles and schemas, and
creates new topics that match its filters. Before consumers move, delete it, or set consumer_offset_sync_options.paused.

Only topics in the state ACTIVE fail over. The rows of others, such as FAULTED ones, have an error; weir shadow delete
--force makes them writable as well.`,
  examples: [
    ['Show what would be lost', 'shadow failover dr --all --dry-run'],
    ['All topics, until clients can write to them', 'shadow failover dr --all --wait'],
    ['Two topics', 'shadow failover dr --topic orders --topic payments'],
    ['In a script', 'shadow failover dr --all --yes'],
  ],
  apis: ['admin'],
  args: { link: one(linkName, 'LINK', 'name of the link') },
  flags: {
    all: toggle({ help: 'fail over all topics of the link' }),
    topic: list(newTopicName, { help: 'fail over this topic' }),
    ...waitFlags('the topics are failed over'),
  },
  changes: 'destroys',
  namesAll: ({ all }) => !all,
  noun: 'topic',
  item: FailedTopic,
  async plan(context, { link, all, topic: names, ...values }) {
    checkWait(values);
    if (all === names.length > 0)
      throw usageError(all ? '--all and --topic cannot be used together' : 'missing flag --all or --topic', {
        target: '--all',
      });
    const { topics } = await requireLink(context, link);
    if (topics.length === 0) context.notice('the link copies no topic');
    const chosen = all ? topics : names.map((name) => topicOf(link, topics, name));
    return (await withAllPartitions(context, chosen)).map(planned);
  },
  asks(topics, { link }) {
    const names = shortList(topics.map(({ topic }) => topic));
    return {
      question: `Fail over ${count(topics.length, 'topic')} (${names}) of shadow link "${link}", and ${lossOf(topics)},`,
      name: link,
    };
  },
  previews: true,
  after(context, topics, { dryRun }) {
    if (dryRun) context.noticeAfter(`the failover would ${lossOf(topics.filter(({ status }) => status === 'OK'))}`);
  },
  async apply(context, topics, { link, all }) {
    const admin = await context.admin();
    const check = commandText`weir shadow status ${link} -t`;
    sending(context, `failing over shadow link "${link}"`, check);
    const names = topics.map(({ topic }) => topic);
    const outcomes: Failed[] = [];
    if (all) {
      const { topics: after } = await admin.failOver({ name: link, topic: undefined, topics: names });
      outcomes.push(...names.map((name) => stateIn(after, name)));
    }
    for (const topic of all ? [] : names) outcomes.push(await failOverOne(context, link, topic));
    context.onInterrupt(stoppedError(`the failover of shadow link "${link}" has started`, [], link));
    return outcomes;
  },
  async follow(context, topics, { link, all, ...values }) {
    const names = topics.flatMap((one) => ((one.error ?? null) === null && !isIndependent(one) ? [one.topic] : []));
    if (names.length === 0) return [];
    const end = all ? commandText`weir shadow delete ${link}` : 'set consumer_offset_sync_options.paused';
    context.noticeAfter(`the link still copies committed offsets; before consumers move: ${end}`);
    if (!values.wait) {
      context.noticeAfter(commandText`follow it with: weir shadow status ${link} -t --watch`);
      return [];
    }
    const admin = await context.admin();
    const chosen = all ? '--all' : names.map((name) => commandText`--topic ${name}`).join(' ');
    const { topics: last } = await waitFor<ShadowLink>(context, values, {
      what: `the failover of shadow link "${link}"`,
      resumeWith: `${commandText`weir shadow failover ${link}`} ${chosen} --wait`,
      show: (now) => `${now.topics.filter(isIndependent).length} of ${count(now.topics.length, 'topic')}`,
      start: (options) => admin.waitForFailover(link, names, options),
    });
    return topics.map(({ topic }) => (names.includes(topic) ? endIn(last, topic) : {}));
  },
  columns: ['topic', ['state', ({ state }) => stateCell(state)], ...partitionColumns()],
  lines: linesOf,
  would: 'be failed over',
  notNeeded: ({ state }) => `is ${state}`,
});

type FailedTopic = RowOf<typeof FailedTopic>;

/** What a failover of topics does to records, for the question. */
function lossOf(topics: readonly FailedTopic[]): string {
  const lag = lagOf(topics);
  const isNothing = lag.records === 0n && lag.unknown === 0;
  return isNothing ? 'lose no record that the link knows of' : `lose ${tellLag(lag)}`;
}

function topicOf(link: string, topics: readonly ShadowTopic[], name: string): ShadowTopic {
  const topic = topics.find((one) => one.name === name);
  if (topic !== undefined) return topic;
  throw notFoundError(`the shadow link "${link}" does not copy topic "${excerpt(name)}"`, {
    code: 'TOPIC_NOT_FOUND',
    target: name,
    hints: [commandText`see its topics with: weir shadow status ${link} -t`],
  });
}

function planned(topic: Copy) {
  const { name, state, partitions } = topic;
  return { topic: name, state, lag: totalLag([topic]), partitions, ...statusOf(topic) };
}

/** The server fails over topics in the state ACTIVE (redpanda commit 1b95a07c: src/v/cluster_link/model/types.cc:35). */
function statusOf(topic: ShadowTopic): ItemState {
  const { state } = topic;
  if (state === 'ACTIVE') return {};
  if (state === 'FAILING_OVER' || isIndependent(topic)) return { status: 'NOT_NEEDED' };
  const message = `the topic is ${state ?? 'in an unknown state'}: only ACTIVE topics fail over`;
  return { error: itemErrorOf(new CliError(exitCodes.conflict, message, { code: 'TOPIC_NOT_ACTIVE' })) };
}

/** A line for each partition with lag, and one for the others together. */
function linesOf<R extends FailedTopic>(row: R): readonly R[] {
  const { partitions } = row;
  const behind = partitions.filter(({ lag }) => lag !== 0n);
  const others = partitions.filter(({ lag }) => lag === 0n);
  const lines = behind.map((one) => ({ ...row, partitions: [one] }));
  return others.length > 0 || lines.length === 0 ? [...lines, { ...row, partitions: others }] : lines;
}

/** What became of a topic: its state, or why it did not fail over. */
type Failed = Partial<Pick<FailedTopic, 'state'>> & ItemState;

/** What became of a topic in the end. */
function endIn(topics: readonly ShadowTopic[], name: string): Failed {
  const { state = null } = stateIn(topics, name);
  if (isIndependent({ state })) return { state };
  const message = `the topic is ${state ?? 'not copied any more'}: it did not fail over`;
  return { state, error: itemErrorOf(new CliError(exitCodes.failure, message, { code: 'TOPIC_NOT_FAILED_OVER' })) };
}

function stateIn(topics: readonly ShadowTopic[], name: string): Failed {
  const topic = topics.find((one) => one.name === name);
  return topic === undefined ? {} : { state: topic.state };
}

async function failOverOne(context: Context, link: string, topic: string): Promise<Failed> {
  try {
    const { topics } = await (await context.admin()).failOver({ name: link, topic, topics: [topic] });
    return stateIn(topics, topic);
  } catch (error) {
    const isOfTopic = error instanceof CliError && ownFaults.has(error.exitCode);
    if (!isOfTopic) throw error;
    return { error: itemErrorOf(error) };
  }
}

const ownFaults: ReadonlySet<number> = new Set([exitCodes.failure, exitCodes.notFound, exitCodes.conflict]);
