import { flag, one, toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Context } from '../../../context.ts';
import { CliError, usageError, withHints } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { shortList } from '../../../format/name-lists.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { ReplicaMove } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { outputPath, path, size } from '../../../kinds.ts';
import { writeNewFile } from '../new-file.ts';
import { placementFile, readPlacementFile } from './placement-file.ts';
import { finish, waitTimeout } from './waiting.ts';

/** `topic reassign execute` */
export const execute = change({
  summary: 'Move replicas as a file says',
  description: `Reads a plan of topic reassign plan, or any file of Kafka's own tool: {"version": 1, "partitions":
[{"topic": "orders", "partition": 0, "replicas": [1, 2]}]}. The first replica becomes the preferred leader. Shows the
old and the new replicas before it asks. A partition that cannot be moved does not affect the others.

The brokers copy the data in the background; --throttle limits the rate of each. --wait waits until all is copied,
removes the throttle and restores the rates that were set before. Without --wait, or after Ctrl-C, topic reassign wait
does that.`,
  examples: [
    ['Move 10 MB per second, until it is done', 'topic reassign execute plan.json --throttle 10MB --wait'],
    ['Keep a way back', 'topic reassign execute plan.json --undo-file undo.json'],
    ['Show what would move', 'topic reassign execute plan.json --dry-run'],
  ],
  apis: ['kafka'],
  args: { file: one(path, 'FILE', 'the plan (- for standard input)') },
  flags: {
    throttle: flag(size({ min: 1 }), { help: 'limit per second for each broker, for example 10MB' }),
    wait: toggle({ short: 'w', help: 'wait until all data is copied, then remove the throttle' }),
    waitTimeout,
    additional: toggle({ help: 'also change partitions that are already being reassigned' }),
    undoFile: flag(outputPath, { help: 'write the old placement to this new file, in the same format' }),
  },
  changes: 'destroys',
  noun: 'partition',
  item: ReplicaMove,
  async plan(context, { file, additional, wait, waitTimeout: limit, undoFile, dryRun }) {
    if (limit !== undefined && !wait) throw usageError('--wait-timeout needs --wait', { target: '--wait-timeout' });
    const partitions = await readPlacementFile(context, file);
    const moves = await (await context.kafka()).planMoves({ partitions, additional });
    const isDue = moves.some(({ status, error }) => status === undefined && error === null);
    if (undoFile !== undefined && !isDue && !dryRun)
      context.notice(`there is nothing to undo: ${undoFile} is not written`);
    return moves;
  },
  asks(moves) {
    const topics = topicsOf(moves);
    return {
      question: `Move the replicas of ${count(moves.length, 'partition')} (${shortList(topics)})`,
      name: topics.length === 1 ? String(topics[0]) : count(topics.length, 'topic'),
    };
  },
  previews: true,
  async validate(context, moves, { throttle: rate }) {
    if (rate !== undefined) await (await context.kafka()).checkThrottle(moves, rate);
    return moves;
  },
  async apply(context, moves, { throttle: rate, wait, waitTimeout: limit, undoFile }) {
    const { throttleMemory } = await import('./throttle-file.ts');
    const memory = throttleMemory(context);
    const kafka = await context.kafka();
    const started = await kafka
      .reassign({
        moves,
        throttle: rate === undefined ? undefined : { rate, memory },
        beforeMoves: () => keepUndo(context, undoFile, moves),
      })
      .catch((error: unknown) => {
        throw rate !== undefined && context.signal.aborted ? withThrottle(error) : error;
      });
    const topics = topicsOf(started.filter(({ error }) => error === null));
    if (topics.length === 0) return started;
    if (wait) {
      await finish(context, topics, limit, memory);
      return kafka.settledReassignments(started);
    }
    const rest = rate === undefined ? 'wait for them' : 'wait for them and remove the throttle';
    context.noticeAfter(
      `${rest} with: weir topic reassign wait${topics.length > 10 ? '' : ` ${topics.map(shellWord).join(' ')}`}`,
    );
    return started;
  },
});

function topicsOf(moves: readonly ReplicaMove[]): readonly string[] {
  return [...new Set(moves.map(({ topic }) => topic))];
}

async function keepUndo(context: Context, file: string | undefined, moves: readonly ReplicaMove[]): Promise<void> {
  if (file === undefined) return;
  const back = moves.map(({ topic, partition, old_replicas: replicas }) => ({ topic, partition, replicas }));
  await writeNewFile(context, file, placementFile(back));
}

/** Says what a command that was stopped may have left behind. */
function withThrottle(error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  return withHints(error, [
    'a throttle may be set, and replicas may be moving; wait for them and remove it with: weir topic reassign wait',
  ]);
}
