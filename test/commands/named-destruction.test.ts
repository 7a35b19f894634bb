import { expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands } from '../../src/commands/index.ts';
import { parsed } from '../parsed-path.ts';

/** Lines that name everything that they destroy; they run without a terminal. */
const naming = [
  'topic delete orders payments',
  'topic alter-config orders payments --set retention.ms=1',
  'topic set-config orders retention.ms=1',
  'topic elect-leaders orders --unclean',
  'group delete billing',
  'group offset-delete billing --topic orders',
  'security user delete ana',
  'security role delete readers',
  'security secret delete --name DB_PASSWORD',
  'shadow delete dr',
  'shadow failover dr --topic orders',
  'cluster brokers decommission 2',
  'cluster config force-reset log_segment_size --cache-file cache.yaml',
  'cluster partitions disable orders -p 0',
  'cluster partitions move -p orders/0:0,1,3',
  'cluster config set log.retention.ms 1',
  'cluster self-test start',
  'cluster storage unmount orders',
  'cluster txn abort orders -p 3 --start-offset 12345',
  'registry subject delete orders-value --permanent',
  'registry context delete .billing',
  'registry schema delete orders-value --schema-version 2',
  'topic redrive orders-dlq --only orders',
  'transform delete redact',
  'debug remote-bundle cancel --job-id 6f1d1f0c-6f0e-4b6e-9b39-6e6f4f0a7b1c',
  'cloud auth delete work',
  'profile delete prod',
  'group seek billing reports --to start',
  'group seek billing --to-file undo.txt',
  'completion uninstall bash',
  'sandbox purge',
];

/** Lines that do not (a pattern, a filter, an offset, a plan, a file), or that destroy what costs most; they need `--yes`. */
const notNaming = [
  'apply cluster.yaml',
  'completion install',
  'completion uninstall',
  'topic delete -r orders',
  'topic alter-config -r orders --set retention.ms=1',
  'topic set-config -r orders retention.ms=1',
  'topic elect-leaders --unclean',
  'topic elect-leaders -r orders --unclean',
  'topic trim-prefix orders -o 2',
  'topic redrive orders-dlq',
  'topic reassign execute plan.json',
  'group delete -r billing',
  'group seek -r billing --to start',
  'group offset-delete billing --from-file offsets.txt',
  'security acl delete --topic orders',
  'cluster config import --file cluster.yaml',
  'cluster config edit',
  'cluster config lint',
  'cluster partitions move-cancel',
  'cluster partitions unsafe-recover --from-nodes 2',
  'cluster quotas import --from quotas.yaml',
  'cluster storage restore start',
  'cluster upgrade finalize',
  'shadow failover dr --all',
  'registry subject delete -r orders-value',
  'registry schema delete orders-value --schema-version latest',
  'debug remote-bundle cancel',
  'cloud cluster delete first',
  'cloud network delete first',
  'cloud resource-group delete first',
  'cloud role-binding delete a',
  'cloud service-account delete pipeline',
  'cloud byoc aws destroy --cluster-id a',
  'cloud byoc azure destroy --cluster-id a',
  'cloud byoc gcp destroy --cluster-id a --project-id b',
];

const table = [...naming.map((line) => [line, true] as const), ...notNaming.map((line) => [line, false] as const)];

test.each(table)('without a terminal, weir %s runs unasked: %s', async (line, expected) => {
  const { command, values } = await parsed(line.split(' '));
  const { namesAll } = command;
  const runs = typeof namesAll === 'function' ? namesAll({ dryRun: false, ...values }) : namesAll;
  expect({ changes: command.changes, runs }).toEqual({ changes: 'destroys', runs: expected });
});

test('every command that destroys has a line in this table, and one for each answer if its values decide', async () => {
  const expected = leavesOf(await walkTree(commands))
    .filter(({ command }) => command.changes === 'destroys' && !command.hidden)
    .flatMap(({ path, command: { namesAll } }) => {
      const answers = typeof namesAll === 'function' ? [true, false] : [namesAll];
      return answers.map((answer) => `${path.join(' ')}: ${answer}`);
    });
  const lines = await Promise.all(
    table.map(async ([line, runs]) => `${(await parsed(line.split(' '))).path}: ${runs}`),
  );
  expect([...new Set(lines)].sort()).toEqual([...new Set(expected)].sort());
});
