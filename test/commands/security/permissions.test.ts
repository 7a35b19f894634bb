import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissions } from '../../../src/commands/security/permissions-help.ts';
import '../../services/services.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../world.ts';
import { openTransaction } from '../cluster/open-transaction.ts';
import { makeGroups } from '../group/group-members.ts';
import { type Grant, usersWith } from './granted.ts';
import { admin, must } from './people.ts';

type Shows = (outcome: Outcome, name: string) => boolean;
const isDone: Shows = ({ exitCode }) => exitCode === 0;
/** For commands that leave out what the user may not see. */
const isListed: Shows = ({ stdout }, name) => stdout.includes(name);
const hasLag: Shows = ({ stdout }) => /(TOTAL-LAG|Empty +0) +1$/m.test(stdout);
const isAnswered: Shows = ({ stdout }) => stdout.includes('ANSWER');

/**
 * What `weir help permissions` says is held against the broker: a user who may do exactly this can run the line; a user
 * who lacks one of the permissions cannot, or does not see the result. TOPIC is a topic of this case with one record,
 * GROUP a group with an offset, ID a transactional id, USER a SCRAM user, all of the same name; FILE is a plan, or sets
 * configs of the topic. What is
 * allowed is granted for that name only, or for transactional ids that begin with it. OPEN is a topic that everyone may use.
 */
const cases: readonly (readonly [line: string, grants: readonly Grant[], shows?: Shows])[] = [
  ['topic list', ['topic describe'], isListed],
  [
    'topic describe TOPIC -a',
    ['topic describe', 'topic describe_configs', 'cluster describe'],
    // Without the sizes, -a shows the rest.
    ({ stdout, exitCode }) => exitCode === 0 && !stdout.includes('AUTHORIZATION_FAILED'),
  ],
  ['topic create TOPIC', ['topic create']],
  ['topic create TOPIC', ['cluster create']],
  ['topic delete TOPIC', ['topic delete']],
  ['topic delete TOPIC', ['cluster delete']],
  ['topic produce TOPIC', ['topic write']],
  ['topic analyze TOPIC -o :end', ['topic read']],
  ['topic consume TOPIC -o :end', ['topic read']],
  ['topic consume TOPIC -g GROUP -n 1', ['topic read', 'group read']],
  ['topic search TOPIC --where offset>=0', ['topic read']],
  ['topic copy TOPIC OPEN -g GROUP --append', ['topic read', 'group read']],
  ['topic copy OPEN TOPIC --append', ['topic read', 'topic write']],
  ['topic redrive TOPIC --to OPEN -g GROUP', ['topic read', 'group read']],
  ['topic redrive OPEN --to TOPIC -g GROUP --exactly-once', ['topic write', 'group read', 'transactional_id write']],
  ['topic alter-config TOPIC -s retention.ms=60000', ['topic alter_configs']],
  ['topic set-config TOPIC retention.ms=60000', ['topic alter_configs']],
  ['topic add-partitions TOPIC -n 1', ['topic alter']],
  ['topic trim-prefix TOPIC -o end', ['topic delete']],
  ['topic find TOPIC key', ['topic describe']],
  // On one broker there is nothing to elect and to move: elections and moves are tested with three.
  ['topic elect-leaders TOPIC', ['topic describe']],
  ['topic reassign plan TOPIC', ['topic describe', 'cluster describe']],
  ['topic reassign list', ['cluster describe']],
  ['topic reassign execute FILE', ['topic describe', 'cluster alter']],
  ['topic reassign wait TOPIC', ['cluster describe']],
  ['topic reassign cancel TOPIC', ['cluster alter', 'topic describe']],
  ['group list', ['group describe'], isListed],
  ['group list', ['cluster describe'], isListed],
  ['group describe GROUP', ['group describe', 'topic describe'], hasLag],
  ['group lag GROUP', ['group describe', 'topic describe'], hasLag],
  ['group seek GROUP --to end', ['group read', 'topic read']],
  ['group delete GROUP', ['group delete']],
  ['group offset-delete GROUP -t TOPIC', ['group delete', 'topic read']],
  ['cluster info -t', ['topic describe'], isListed],
  ['cluster features', []],
  ['cluster config get log.cleaner.threads', ['cluster describe_configs']],
  ['cluster config list', ['cluster describe_configs']],
  ['cluster config set log.cleaner.threads=1 --broker 1 --dry-run', ['cluster alter_configs']],
  ['cluster logdirs describe', ['cluster describe']],
  ['cluster loggers list', ['cluster describe_configs']],
  ['cluster loggers get root', ['cluster describe_configs']],
  ['cluster loggers set root -l error --broker 1', ['cluster alter_configs']],
  ['cluster quotas describe', ['cluster describe_configs']],
  ['cluster quotas alter --name client-id=TOPIC --add producer_byte_rate=200000 --dry-run', ['cluster alter_configs']],
  ['cluster txn list', ['transactional_id describe'], isListed],
  ['cluster txn describe ID', ['transactional_id describe']],
  ['cluster txn describe-producers -t TOPIC', ['topic read']],
  ['cluster txn find-hanging -t TOPIC --max-transaction-timeout 0s', ['topic read', 'transactional_id describe']],
  ['cluster txn abort TOPIC -p 0 --start-offset 1', ['topic read', 'cluster alter']],
  ['diff FILE', ['topic describe', 'topic describe_configs'], ({ stdout }) => stdout.includes('retention.ms')],
  ['apply FILE', ['topic describe', 'topic alter_configs']],
  [
    'export --owns TOPIC',
    ['topic describe', 'topic describe_configs', 'cluster describe', 'cluster describe_configs'],
    ({ stdout, exitCode }, name) => exitCode === 0 && stdout.includes(`  ${name}:`),
  ],
  ['security acl list', ['cluster describe']],
  ['security acl explain x read topic:x', ['cluster describe'], isAnswered],
  ['security acl create --allow-principal USER --operation read --topic TOPIC', ['cluster alter']],
  ['security acl delete --allow-principal USER --topic TOPIC', ['cluster alter']],
  ['security user list', ['cluster describe']],
  ['security user create USER --password-stdin', ['cluster alter']],
  ['security user update USER --password-stdin', ['cluster alter']],
  ['security user delete USER', ['cluster alter']],
];

const names = permissions.flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`.trim()));
const prefix = `granted-${process.pid}`;
const openTopic = `open-to-all-${process.pid}`;
const nameOf = (index: number): string => `${prefix}-${index}`;
const directory = temporaryDirectory();
const stdin = 'a\n';
/** The user with all grants of each case, and those who lack one each. */
let people: readonly { readonly full: World; readonly lacking: readonly World[] }[];

beforeAll(async () => {
  const topics = cases.flatMap(([line], index) => (line.startsWith('topic create') ? [] : [nameOf(index)]));
  await must(`topic create ${openTopic} ${topics.join(' ')}`);
  await must("topic produce -f '%t\\n'", { stdin: [openTopic, ...topics].map((topic) => `${topic}\n`).join('') });
  for (const [index, [line]] of cases.entries()) await prepare(line, nameOf(index));
  people = await makePeople();
});

/** Makes what a line needs besides its topic. */
async function prepare(line: string, name: string): Promise<void> {
  if (line.includes('FILE')) {
    const partitions = [{ topic: name, partition: 0, replicas: [1] }];
    const file = line.startsWith('topic')
      ? { version: 1, partitions }
      : { weir: 1, topics: { [name]: { configs: { 'retention.ms': '1h' } } } };
    writeFileSync(join(directory, name), JSON.stringify(file));
  }
  if (line.startsWith('cluster txn')) await openTransaction(name, name);
  if (line.startsWith('group')) {
    const groups = await makeGroups();
    await groups.commit(name, name, { 0: 0n }).finally(() => groups.close());
  }
  if (/^security user (update|delete)/.test(line))
    await must(`security user create ${name} --password-stdin`, { stdin });
  if (line.startsWith('security acl delete')) {
    await must(`security acl create --allow-principal ${name} --operation read --topic ${name}`);
  }
}

async function makePeople(): Promise<typeof people> {
  const sets = cases.map(([, grants]) => [grants, ...grants.map((lacks) => grants.filter((one) => one !== lacks))]);
  const granted = sets.flatMap((all, index) => all.map((grants) => ({ grants, resource: nameOf(index) })));
  const worlds = [...(await usersWith(prefix, granted))];
  return sets.map((all) => {
    const [full, ...lacking] = worlds.splice(0, all.length);
    if (full === undefined) throw new Error('a case has no user');
    return { full, lacking };
  });
}

afterAll(async () => {
  await run(['topic', 'delete', '-r', `${prefix}.*|${openTopic}`, '--yes'], admin());
});

test('every command that needs a permission has a case', () => {
  const tested = names.filter((name) => cases.some(([line]) => `${line} `.startsWith(`${name} `)));
  // These are tested on their own: doctor shows its checks, a single broker shares no partition whose configs a restart
  // check would read, top what could not be read, an import removes all other quotas of the broker, the logs of
  // transforms are in one topic, and roles need the Admin API as well.
  const ownTests = [
    ...['cluster health', 'cluster restart-check', 'cluster quotas import', 'top', 'doctor', 'transform logs'],
    ...['security role describe', 'security role delete'],
  ];
  expect(names.filter((name) => !tested.includes(name))).toEqual(ownTests);
});

test.each(cases.map(([line, grants], index) => [line, grants.join(' and ') || 'nothing', index] as const))(
  '%s needs %s',
  async (line, _, index) => {
    const [, grants, shows = isDone] = cases[index] as (typeof cases)[number];
    const name = nameOf(index);
    const words = line
      .replaceAll(/TOPIC|GROUP|ID|USER/g, name)
      .replace('FILE', join(directory, name))
      .replace('OPEN', openTopic);
    const { full, lacking } = people[index] as (typeof people)[number];
    for (const [at, world] of lacking.entries()) {
      const outcome = await run(`${words} --yes`, { ...world, stdin });
      expect(shows(outcome, name), `without ${grants[at]}: ${JSON.stringify(outcome)}`).toBe(false);
      if (outcome.exitCode === 4)
        expect(outcome.stderr).toMatch(/^hint: weir [a-z -]+ needs .*\(see weir help permissions\)$/m);
      // A topic that nobody may see is not there; one that cannot be read must not be missing.
      if (line.startsWith('export') && grants[at] !== 'topic describe') expect(outcome.exitCode).toBe(4);
      if (line.startsWith('topic consume TOPIC -o') && grants[at] === 'topic read')
        expect(outcome.stderr).toContain(
          `hint: weir topic consume needs read on topic "${name}"; with -g also read on`,
        );
    }
    const outcome = await run(`${words} --yes`, { ...full, stdin });
    expect(shows(outcome, name), JSON.stringify(outcome)).toBe(true);
  },
);
