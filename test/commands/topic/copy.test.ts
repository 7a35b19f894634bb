import { expect, it } from 'vitest';
import { copy } from '../../../src/commands/topic/copy.ts';
import type { Context } from '../../../src/context.ts';
import type { CliError } from '../../../src/errors.ts';
import type { CopiedTopic } from '../../../src/kafka/carry/copy/copy-rows.ts';
import { run } from '../../world.ts';

const planned: CopiedTopic = {
  ...{ topic: 'orders', destination: 'orders', partitions: 1, records: 40, bytes: null, error: null },
};
const offset = {
  ...{ group: 'billing', topic: 'orders', destination: 'orders', partition: 0 },
  ...{ source_offset: 7, prior_offset: null, offset: 7, error: null },
};
const failure = { code: 'TOPIC_RECREATED', number: null, message: 'gone', retryable: false, exit_code: 6 } as const;

/** Runs the command with a copy of two topics that ends like this, and returns the rows and what happened on the way. */
async function ran(errors: readonly CopiedTopic['error'][], { follow = false, pending = 0 } = {}) {
  const happened: unknown[] = [];
  const context = {
    progress: () => ({ report: (state: unknown) => happened.push(state), end: () => happened.push('end') }),
    onStop(listener: () => string | undefined) {
      happened.push(listener() ?? 'nothing to finish');
      return () => undefined;
    },
    onInterrupt: (report: () => CliError) => happened.push(report().hints[0]),
    notice: () => undefined,
  } as unknown as Context;
  const copying = {
    ...{ planned: [planned, planned], again: 'repeat it', pending, stop: () => undefined },
    async run(onCopied: (records: number) => void) {
      onCopied(30);
      return errors.map((error, at) => ({ ...planned, topic: at === 0 ? 'orders' : 'payments', error }));
    },
    translateOffsets: async (isDry: boolean) => {
      happened.push(isDry ? 'would translate' : 'translates');
      return [offset];
    },
  };
  const rows = await copy.run(context, { follow } as unknown as Parameters<typeof copy.run>[1], {
    copying,
    filter: undefined,
  });
  return { rows, happened };
}

it('shows how much is left, and translates offsets once everything is copied', async () => {
  expect(await ran([null, null])).toMatchObject({
    rows: [
      { topic: 'orders', offsets: [offset], dry_run: false },
      { topic: 'payments', offsets: [] },
    ],
    happened: [{ done: 0, total: 80 }, 'nothing to finish', 'repeat it', { done: 30 }, 'end', 'translates', 'end'],
  });
});

it('translates none if a topic was not copied to its end: its group would continue too early', async () => {
  const { rows, happened } = await ran([null, failure]);
  expect(rows).toMatchObject([
    { error: null, offsets: [] },
    { error: failure, offsets: [] },
  ]);
  expect(happened).not.toContain('translates');
});

it('has no total while it follows its topics, and a stop says what is left to write', async () => {
  const { happened } = await ran([null, null], { follow: true, pending: 1_200 });
  expect(happened.slice(0, 2)).toEqual([{ done: 0, unit: 'records' }, 'finishing 1,200 records']);
});

it('names topics without the profiles of the line in JSON, and says so in its schema', async () => {
  const { stdout } = await run('topic copy --format schema');
  const { topic, destination } = JSON.parse(stdout).items.properties;
  expect([topic.description, destination.description]).toEqual([
    'the topic in its cluster, without the profile',
    'the topic in the cluster of the destination, without the profile',
  ]);
});
