import { spreadOf } from './measure.ts';
import type { Usage } from './usage.ts';

/** A goal of the performance specification. */
export type Goal = Ratio | Budget;

/** Weir's user time, or its wall time, in milliseconds, whatever the others take. */
interface Budget {
  readonly kind: 'user' | 'took';
  readonly limit: number;
}

/** Weir compared with one contender of the same case. */
interface Ratio {
  /** The contender's name; the goal is omitted if it was not measured. */
  readonly peer: string;
  /**
   * `speed`: lowest ratio of the peer's wall time to weir's. `wall` and `cpu`: highest ratio of weir's wall or
   * processor time to the peer's.
   */
  readonly kind: 'speed' | 'wall' | 'cpu';
  readonly limit: number;
}

/** The measurements of one case: the runs of each contender, weir's first. */
export interface Measured {
  readonly name: string;
  readonly runs: ReadonlyMap<string, readonly Usage[]>;
  readonly goals: readonly Goal[];
}

const peakLimitMb = 200;

/** The goal of being at least `limit` times as fast as a peer. */
export function faster(peer: string, limit: number): Goal {
  return { peer, kind: 'speed', limit };
}

/** The goal of taking at most `milliseconds` of user time. */
export function within(milliseconds: number): Goal {
  return { kind: 'user', limit: milliseconds };
}

/** The goal of taking at most `milliseconds` of wall time. */
export function took(milliseconds: number): Goal {
  return { kind: 'took', limit: milliseconds };
}

/** Lines with each case's goals, the measured medians, and whether they are met; empty without goals. */
export function verdicts(cases: readonly Measured[]): string {
  const judged = cases.map((one) => ({ name: one.name, verdicts: one.goals.flatMap((goal) => judge(goal, one)) }));
  const told = judged.filter((one) => one.verdicts.length > 0);
  const all = [...told.flatMap((one) => one.verdicts), ...judgeMemory(cases)];
  if (told.length === 0) return '';
  const lines = told.map((one) => `${one.name}: ${one.verdicts.map(({ text }) => text).join('; ')}\n`);
  const memory = judgeMemory(cases).map(({ text }) => `all cases: ${text}\n`);
  const met = all.filter((one) => one.met).length;
  return `\nthe specification's goals, by medians: ${met} of ${all.length} met\n${lines.join('')}${memory.join('')}`;
}

interface Verdict {
  readonly met: boolean;
  readonly text: string;
}

/** A verdict, or none if the peer was not measured. */
function judge(goal: Goal, { runs }: Measured): readonly Verdict[] {
  const [[, own] = []] = runs;
  if (own === undefined) return [];
  if (!('peer' in goal)) return [judgeBudget(goal, own)];
  const { peer, kind, limit } = goal;
  const others = runs.get(peer);
  if (others === undefined) return [];
  const of = kind === 'cpu' ? ({ cpuMs }: Usage) => cpuMs : ({ wallMs }: Usage) => wallMs;
  const [weirs, peers] = [own, others].map((usages) => spreadOf(usages.map(of)).median);
  if (weirs === undefined || peers === undefined) return [];
  // Judged as shown, so that a line never contradicts itself.
  const seen = (kind === 'speed' ? peers / weirs : weirs / peers).toFixed(2);
  const met = kind === 'speed' ? Number(seen) >= limit : Number(seen) <= limit;
  return [{ met, text: `goal ${wording(kind, limit, peer)}: ${seen}x, ${met ? 'met' : 'missed'}` }];
}

function judgeBudget({ kind, limit }: Budget, usages: readonly Usage[]): Verdict {
  const [of, name] =
    kind === 'user' ? [({ userMs }: Usage) => userMs, 'user'] : [({ wallMs }: Usage) => wallMs, 'wall'];
  const seen = spreadOf(usages.map(of)).median.toFixed(kind === 'user' ? 1 : 0);
  const met = Number(seen) <= limit;
  return { met, text: `goal at most ${limit} ms of ${name} time: ${seen} ms, ${met ? 'met' : 'missed'}` };
}

function wording(kind: Ratio['kind'], limit: number, peer: string): string {
  if (kind === 'speed') return `${limit}x ${peer}`;
  return `at most ${limit}x the ${kind === 'cpu' ? 'processor' : 'wall'} time of ${peer}`;
}

/** Whether a contender is weir: as the executable, with other flags, or in front of a pipe, too. */
function isWeir(name: string): boolean {
  return name === 'weir' || name.startsWith('weir, ');
}

/** One verdict over every run of weir; none without /proc. */
function judgeMemory(cases: readonly Measured[]): readonly Verdict[] {
  const runs = cases.flatMap((one) => [...one.runs].flatMap(([name, usages]) => (isWeir(name) ? usages : [])));
  const peaks = runs.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / 2 ** 20]));
  if (peaks.length === 0) return [];
  const peak = Math.max(...peaks);
  const met = peak < peakLimitMb;
  const text = `goal less than ${peakLimitMb} MB of memory: at most ${peak.toFixed(0)}, ${met ? 'met' : 'missed'}`;
  return [{ met, text }];
}
