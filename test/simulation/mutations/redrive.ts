import type { Mutation } from './mutation.ts';

const test = { file: 'simulation/redriving.test.ts', why: 'the seeds of `runRedrive` show it' };
const common = { kind: 'produce', letter: 'redrive', test } as const;

/** Defects in putting dead letters back. */
export const redriveMutations: readonly Mutation[] = [
  {
    ...common,
    name: 'only what comes before the first dead letter that was left is remembered',
    file: 'kafka/carry/redrive/settled-offsets.ts',
    from: 'encode: () => encode(below, runs)',
    to: 'encode: () => encode(below, [])',
  },
  {
    ...common,
    name: 'dead letters are remembered as sent before they are acknowledged',
    file: 'kafka/carry/redrive/redrive.ts',
    from: '  return () => {\n    reading.stored = stored;',
    to: '  reading.stored = stored;\n  return () => {',
  },
  {
    ...common,
    name: 'dead letters that were left are remembered as sent',
    file: 'kafka/carry/redrive/redrive.ts',
    from: 'settle(reading, upTo, left);',
    to: 'settle(reading, upTo, []);',
  },
  {
    ...common,
    name: 'dead letters that an earlier run has sent are sent again',
    file: 'kafka/carry/redrive/redrive.ts',
    from: '!isSettled(run, cursor) && ',
    to: '',
  },
  {
    ...common,
    name: 'the rounds of a dead letter are not counted',
    file: 'kafka/carry/redrive/judge.ts',
    from: '(findings?.count ?? 0) + 1',
    to: '(findings?.count ?? 0)',
  },
  {
    ...common,
    name: 'dead letters that their destination refused are remembered as sent',
    file: 'kafka/carry/redrive/redrive.ts',
    from: 'refused.push(offset);',
    to: '',
  },
  {
    ...common,
    name: 'what follows a refused batch keeps its sequence numbers',
    file: 'kafka/streams/produce/lane.ts',
    from: 'lane.nextSequence = first.sequence;',
    to: '',
  },
];
