import { command, flag, one, toggle } from '../../../cli/command.ts';
import { CliError, usageError, withHints } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { shortList } from '../../../format/named.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { plainView } from '../../../format/view.ts';
import { type PlannedRow, reassignedPartition } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { outputPath, path, size } from '../../../kinds.ts';
import { listOf } from '../../../shape/shape.ts';
import { writeNewFile } from '../new-file.ts';
import { placementFile, readPlacementFile } from './placement-file.ts';
import { reassignedText } from './reassign-text.ts';
import { finish, waitTimeout } from './waiting.ts';

/** `topic reassign execute` */
export const execute = command({
  summary: 'Move replicas as a file says',
  description: `Reads a plan of topic reassign plan (its file, or what it prints in json or yaml), or any file of Kafka's own
tool, in JSON or YAML: {"version": 1, "partitions": [{"topic": "orders", "partition": 0, "replicas": [1, 2]}]}. The first
replica becomes the preferred leader; topic elect-leaders makes it the leader. Shows the old and the new replicas before it
asks. A partition that cannot be moved does not affect the others.

The brokers copy the data in the background. --throttle limits how much each of them sends and receives for it, and
replaces the rate of any other reassignment on these brokers. With --wait, waits until all is copied, removes the throttle
and restores the rates that were set before. Without --wait, or after Ctrl-C, topic reassign wait does that; weir remembers
on this machine what it has set. If the throttle cannot be set, nothing is moved.`,
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
  result: listOf(reassignedPartition),
  async plan(context, { file, additional, wait, waitTimeout: limit, dryRun }) {
    checkLimit(limit, wait);
    const partitions = await readPlacementFile(context, file);
    return (await context.kafka()).planMoves({ partitions, additional, dryRun });
  },
  confirm(_context, _values, rows) {
    const moved = rows.filter(({ status }) => status === 'OK');
    if (moved.length === 0) return null;
    const topics = [...new Set(moved.map(({ topic }) => topic))];
    return {
      question: `Move the replicas of ${count(moved.length, 'partition')} (${shortList(topics)})`,
      name: topics.length === 1 ? String(topics[0]) : count(topics.length, 'topic'),
      preview: reassignedText(
        rows.map((row) => ({ ...row, dry_run: true })),
        plainView,
      ),
    };
  },
  async run(context, { throttle, wait, waitTimeout: limit, undoFile, dryRun }, planned) {
    const kafka = await context.kafka();
    const memory = (await import('./throttle-file.ts')).throttleMemory(context);
    const slow = throttle === undefined ? undefined : { rate: throttle, memory };
    const keepUndo = async (old: readonly PlannedRow[]): Promise<void> => {
      const placed = old.map(({ topic, partition, old_replicas: replicas }) => ({ topic, partition, replicas }));
      if (undoFile !== undefined) await writeNewFile(context, undoFile, placementFile(placed));
      isKept = true;
    };
    let isKept = false;
    const rows = await kafka
      .reassign({ rows: planned, throttle: slow, dryRun, beforeMoves: keepUndo })
      .catch((error: unknown) => {
        throw throttle !== undefined && context.signal.aborted ? withThrottle(error) : error;
      });
    if (undoFile !== undefined && !dryRun && !isKept)
      context.notice(`there is nothing to undo: ${undoFile} is not written`);
    const topics = [...new Set(rows.filter(({ status }) => status === 'OK').map(({ topic }) => topic))];
    if (dryRun || topics.length === 0) return rows;
    if (wait) {
      await finish(context, topics, limit, memory);
      return kafka.settledReassignments(rows);
    }
    const rest = throttle === undefined ? 'wait for them' : 'wait for them and remove the throttle';
    context.noticeAfter(
      `${rest} with: weir topic reassign wait${topics.length > 10 ? '' : ` ${topics.map(shellWord).join(' ')}`}`,
    );
    return rows;
  },
  show: { text: reassignedText },
});

function checkLimit(limit: bigint | undefined, wait: boolean): void {
  if (limit !== undefined && !wait) throw usageError('--wait-timeout needs --wait', { target: '--wait-timeout' });
}

/** Says what a command that was stopped may have left behind. */
function withThrottle(error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  return withHints(error, [
    'a throttle may be set, and replicas may be moving; wait for them and remove it with: weir topic reassign wait',
  ]);
}
