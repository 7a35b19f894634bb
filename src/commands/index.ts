import { type Entry, entry, inGroup } from '../cli/command.ts';

/** The root of the command tree, in the order of the help. Nouns are loaded on first use. */
export const commands: readonly Entry[] = [
  ...inGroup('Records and topics', [
    entry('topic', 'Manage topics; produce, consume, search and copy records', async () => {
      return (await import('./topic/index.ts')).topic;
    }),
    entry(
      'group',
      'Manage consumer groups and their offsets; show their lag',
      async () => (await import('./group/index.ts')).group,
      { aliases: ['g'] },
    ),
    entry(
      'transform',
      'Deploy and manage WebAssembly transforms; show their logs',
      async () => (await import('./transform/index.ts')).transform,
      { aliases: ['wasm', 'transfrom'] },
    ),
  ]),
  ...inGroup('Cluster and cloud', [
    entry('cluster', 'Inspect the cluster; manage brokers, configs and quotas', async () => {
      return (await import('./cluster/index.ts')).cluster;
    }),
    entry('shadow', 'Copy topics from another cluster for disaster recovery (Redpanda)', async () => {
      return (await import('./shadow/index.ts')).shadow;
    }),
    entry('top', 'Watch brokers, topics, groups and their lag live in the terminal', async () => {
      return (await import('./top/index.ts')).top;
    }),
    entry('debug', 'Collect debug bundles on the brokers', async () => (await import('./debug/index.ts')).debug),
    entry('cloud', 'Manage cloud clusters through the control plane', async () => {
      return (await import('./cloud/index.ts')).cloud;
    }),
  ]),
  ...inGroup('A cluster as files', [
    entry('diff', 'Compare files that describe a cluster with the cluster', async () => {
      return (await import('./cluster-file/diff.ts')).diff;
    }),
    entry('apply', 'Make a cluster as files describe it', async () => {
      return (await import('./cluster-file/apply.ts')).apply;
    }),
    entry('export', 'Describe a cluster as a file that weir diff and weir apply read', async () => {
      return (await import('./cluster-file/export.ts')).exportCommand;
    }),
    entry('import', 'Convert files of other tools to a file that weir diff and weir apply read', async () => {
      return (await import('./cluster-file/import.ts')).importCommand;
    }),
  ]),
  ...inGroup('Access and schemas', [
    entry(
      'security',
      'Manage access: ACLs, users, roles and secrets',
      async () => (await import('./security/index.ts')).security,
      {
        aliases: ['sec'],
      },
    ),
    entry(
      'registry',
      'Manage schemas, subjects and compatibility in the schema registry',
      async () => (await import('./registry/index.ts')).registry,
      { aliases: ['sr', 'schema-registry'] },
    ),
  ]),
  ...inGroup('Setup', [
    entry('profile', 'Manage named sets of options (one per cluster, for example)', async () => {
      return (await import('./profile/index.ts')).profile;
    }),
    entry('config', 'Show the configuration in use and where each value comes from', async () => {
      return (await import('./config/index.ts')).config;
    }),
    entry('doctor', 'Check the connection to every configured API, step by step', async () => {
      return (await import('./doctor.ts')).doctor;
    }),
    entry('sandbox', 'Run a real or simulated Kafka on this machine', async () => {
      return (await import('./sandbox/index.ts')).sandbox;
    }),
    entry('completion', 'Print or install a completion script for a shell', async () => {
      return (await import('./completion/index.ts')).completion(commands);
    }),
    entry('version', 'Show the versions of weir, its runtime and the operating system', async () => {
      return (await import('./version.ts')).version;
    }),
    entry('help', 'Show help for a command or a subject', async () => {
      return (await import('./help.ts')).help(commands);
    }),
  ]),
  entry(
    'acl',
    'The same as security acl and security user',
    async () => (await import('./security/old-names.ts')).oldAcl,
    { hidden: true },
  ),
  entry('redpanda', 'Commands about single nodes', async () => (await import('./cluster/old-names.ts')).oldRedpanda, {
    hidden: true,
  }),
  entry(
    '__complete',
    'Print candidates for a completion script',
    async () => (await import('./complete/complete.ts')).complete(commands),
    {
      hidden: true,
    },
  ),
];
