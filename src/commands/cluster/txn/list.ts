import { flag, list as listFlag } from '../../../cli/command.ts';
import { errorIfAny } from '../../../cli/forms/columns.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { ListedTransaction } from '../../../kafka/streams/transactions/transaction-rows.ts';
import { duration, type Kind, text } from '../../../kinds.ts';
import { millisecondsOf } from './txn-text.ts';

/** The replicas of Redpanda's transaction log: with more brokers, each lacks a part of it. */
const replicasOfLog = 3;

/** Kafka's names; one of a newer Kafka is passed on as it is. */
const states = [
  'Empty',
  'Ongoing',
  'PrepareCommit',
  'PrepareAbort',
  'CompleteCommit',
  'CompleteAbort',
  'Dead',
  'PrepareEpochFence',
];

const transactionState: Kind<string> = {
  ...text,
  name: 'state',
  offers: states,
  parse: (word) => states.find((state) => state.toLowerCase() === word.toLowerCase()) ?? word,
};

/** `cluster txn list` */
export const list = listCommand({
  summary: 'List transactional ids with their coordinators and states',
  description: `Asks every broker for the transactional ids that it coordinates. Only ids that the principal may describe are
listed.`,
  examples: [
    ['All transactional ids', 'cluster txn list'],
    ['Transactions that have been open for more than ten minutes', 'cluster txn list --state Ongoing --older-than 10m'],
  ],
  aliases: ['ls'],
  apis: ['kafka'],
  flags: {
    state: listFlag(transactionState, { help: 'only these states, for example Ongoing,PrepareCommit', splits: true }),
    olderThan: flag(duration, { help: 'only transactions that have been open for longer' }),
  },
  row: ListedTransaction,
  async read(context, { state, olderThan }) {
    const kafka = await context.kafka();
    const longerThanMs = olderThan === undefined ? undefined : millisecondsOf(olderThan);
    const rows = await kafka.listTransactions({ states: state, longerThanMs });
    await noticeMissing(context);
    return rows;
  },
  columns: [
    ['coordinator', ({ broker }) => broker],
    ['transactional id', (one) => one.transaction_id],
    'producer_id',
    'state',
    errorIfAny(),
  ],
});

/** Notices that the brokers may not have listed all transactions. */
export async function noticeMissing(context: Context): Promise<void> {
  const kafka = await context.kafka();
  if ((await kafka.isRedpanda()) !== true || (await kafka.clusterInfo('none')).brokers.length <= replicasOfLog) return;
  context.noticeAfter('transactions may be missing: brokers of Redpanda that do not have the whole log list none');
}
