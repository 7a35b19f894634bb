import type { Context } from '../../context.ts';
import { CliError, usageError } from '../../errors.ts';
import type { SeekPlan, SeekTarget } from '../../kafka/group-admin/seek-rows.ts';
import { adviseGroup } from '../missing.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
import type { SeekPlace } from './seek-place.ts';

/** The values of `group seek` that decide where to move what. */
export interface SeekValues {
  readonly group: string;
  readonly to: SeekPlace | undefined;
  readonly toGroup: string | undefined;
  readonly toFile: string | undefined;
  readonly topics: readonly string[];
  readonly allowNewTopics: boolean;
  readonly allowNewGroup: boolean;
}

/** The plan of a run, so that the offsets shown in the question are those that are committed. */
const plans = new WeakMap<Context, Promise<SeekPlan>>();

/** Plans the seek; the same plan on every call in a run. */
export function chosenPlan(context: Context, values: SeekValues): Promise<SeekPlan> {
  const known = plans.get(context) ?? plan(context, values);
  plans.set(context, known);
  return known;
}

async function plan(context: Context, values: SeekValues): Promise<SeekPlan> {
  const { group, topics, allowNewTopics, allowNewGroup } = values;
  const target = await targetOf(context, values);
  const kafka = await context.kafka();
  return kafka.planSeek({ group, target, topics, allowNewTopics, allowNewGroup }).catch(async (error: unknown) => {
    const isOther = error instanceof CliError && error.target !== group;
    throw await adviseGroup(error, context, isOther ? [] : ['give --allow-new-group to create the group']);
  });
}

async function targetOf(context: Context, { to, toGroup, toFile }: SeekValues): Promise<SeekTarget> {
  const given = [to, toGroup, toFile].filter((one) => one !== undefined).length;
  if (given !== 1) {
    const message = given === 0 ? 'no place to seek to' : '--to, --to-group and --to-file exclude each other';
    throw usageError(message, { hints: ['give one of --to, --to-group and --to-file'] });
  }
  if (toGroup !== undefined) return { to: 'group', group: toGroup };
  // Negative times have other meanings in the protocol; no record is older than 1970.
  if (to?.to === 'back') return { to: 'time', timestamp: Math.max(0, context.host.now() - to.milliseconds) };
  if (to !== undefined) return to;
  const offsets = await readPartitionFile(context, toFile ?? '', {
    flag: '--to-file',
    offsets: 'numbers and -',
    topicIds: true,
  });
  return { to: 'offsets', offsets };
}
