import { list } from '../../cli/command.ts';
import { adviseConnection } from '../../cli/help/advice.ts';
import { PlanRow } from '../../cluster-file/plan/plan-rows.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { profileName } from '../profile/profile-name.ts';

const namedProfile: typeof profileName = {
  ...profileName,
  parse(value) {
    if (value === '') throw new Error('it is empty');
    return profileName.parse(value);
  },
};

/** `--profile`, which other commands take once. */
export const profileFlag = {
  profile: list(namedProfile, { help: 'profile to use; with several, one cluster after the other' }),
} as const;

/** A row of a plan, and the profile of the cluster that it is about; null without one. */
export const ClusterRow = row({ ...PlanRow.fields, profile: maybe(string) });
export type ClusterRow = RowOf<typeof ClusterRow>;

/** A cluster that a command line is about. */
export interface Cluster {
  readonly profile: string | null;
  readonly context: Context;
}

/** The cluster of the configuration, or those of several profiles. */
export async function clustersOf(context: Context, profiles: readonly string[]): Promise<readonly Cluster[]> {
  const names = [...new Set(profiles)];
  if (names.length < 2) return [{ profile: (await context.config()).profile?.name ?? null, context }];
  return names.map((profile) => ({ profile, context: contextOf(context, profile) }));
}

/** The context of one of several profiles. Its notices name it; it stops when the command does. */
function contextOf(context: Context, profile: string): Context {
  const { onStop, hintAfter, noticeAfter } = context;
  return {
    ...context.ofProfile(profile),
    ...{ onStop, hintAfter },
    notice: (line) => context.notice(`${profile}: ${line}`),
    noticeAfter: (line) => noticeAfter(`${profile}: ${line}`),
  };
}

/** What is done with one of several clusters: its failure names the profile, and so does the hint. */
export async function withName<T>({ context, profile }: Cluster, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const failure = await adviseConnection(error, context);
    if (!(failure instanceof CliError) || failure.exitCode === exitCodes.usage) throw failure;
    throw rephrased(failure, `${profile}: ${failure.message}`, { hintsSuffice: true });
  }
}
