import type { Mutation } from './mutation.ts';

const common = { kind: 'consume', letter: 'copy' } as const;
const failures = (why: string) => ({ file: 'kafka/carry/copy/failures.test.ts', why });
const rare = failures('no scenario of `runCopy` leads there');

/** Defects in copying topics. */
export const copyMutations: readonly Mutation[] = [
  {
    ...common,
    name: 'a transaction whose offsets the group refuses is not aborted',
    file: 'kafka/carry/checkpoint.ts',
    from: '    await transfer.destination.transactions?.abort();\n',
    to: '',
    test: rare,
  },
  {
    ...common,
    name: 'a copy that fails leaves its transaction open',
    file: 'kafka/carry/loop.ts',
    from: '    else await transactions.abort();\n',
    to: '',
    test: failures('the next copier aborts it'),
  },
  {
    ...common,
    name: 'progress is read while another process commits it',
    file: 'kafka/carry/stored-offsets.ts',
    from: 'requireStable: isStable,',
    to: 'requireStable: false,',
    test: rare,
  },
  {
    ...common,
    name: 'progress of a former destination counts',
    file: 'kafka/carry/copy/stored-progress.ts',
    from: "[form, sourceId || '-', targetId || '-',",
    to: "[form, sourceId || '-', '-',",
    test: failures('no topic is created again'),
  },
  {
    ...common,
    name: 'a transaction is committed without looking whether the destination is still the same topic',
    file: 'kafka/carry/checkpoint.ts',
    from: '  if (transactions?.isOpen) await confirmTopics(writing);\n',
    to: '',
    test: failures('no topic is created again'),
  },
  {
    ...common,
    name: 'a failure forgets what other partitions have',
    file: 'kafka/carry/copy/pair-copy.ts',
    from: 'request.isByKey && transactions === undefined',
    to: 'false',
    test: failures('no broker refuses a record'),
  },
  {
    ...common,
    name: 'what is before damage is committed although a batch may be there without its progress',
    file: 'kafka/carry/loop.ts',
    from: 'isDamage(failure) && inDoubt(writing) === 0',
    to: 'isDamage(failure)',
    test: failures('no scenario has damage'),
  },
  {
    ...common,
    name: 'records that were replaced count as copied',
    file: 'kafka/carry/copy/ahead.ts',
    from: ' || cursor.leaderEpoch > epoch',
    to: '',
    test: failures('no broker refuses a record'),
  },
];
