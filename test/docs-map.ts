import { readFile } from 'node:fs/promises';

/**
 * The map of the docs: every page below docs/, by group and in the order of reading, with the clause that follows its
 * title in the lists. `npm run generate` writes docs/README.md, docs/llms.txt and the list in README.md from it.
 *
 * - A new page gets a line here, and a page that moves a new path; then `npm run generate`. The docs test finds a page that
 *   has no line.
 * - The title is the page's heading up to a colon: `# Groups: lag, seek, delete` is listed as "Groups".
 * - The clause says what the reader can do or look up there, without repeating the title and without a full stop.
 * - A page per command or per schema has no line: the index of its folder has one.
 */
export const docsMap: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'guides/getting-started.md': 'records, groups and schemas in fifteen minutes, for those new to Kafka',
    'guides/sandbox.md': 'start a Kafka on this machine to try weir on',
    'guides/completion.md': 'complete commands, flags and names of topics with Tab',
    'glossary.md': 'the words of Kafka in a line each, and of the field as weir uses them',
    'guides/coming-from.md': 'find the command that you know',
  },
  Connect: {
    'guides/configuration.md': 'what can be set, and which source a value comes from; proxies',
    'guides/profiles.md': 'one set of options for each cluster',
    'guides/managed-kafka.md':
      'Confluent Cloud, Aiven, Amazon MSK, Event Hubs, Google Cloud, Redpanda Cloud, Kubernetes',
    'guides/credentials.md': 'secrets from a program, a file or the keychain',
    'guides/sign-in.md': 'tokens from an issuer, in a browser or for programs; how each way was tested',
    'guides/doctor.md': 'which step fails, and what to do about it',
    'guides/when-something-fails.md': 'errors by their words, what they mean and what to do',
    'guides/timeouts.md': 'how long a command may take, and what is retried',
  },
  Records: {
    'guides/produce-consume.md': 'write and read records',
    'guides/records.md': 'layouts for `-f`, input formats, offsets',
    'guides/find.md': 'by conditions on their fields, fast',
    'guides/search-topic.md': 'for those who come from AKHQ or Kafka UI',
    'guides/schema-registry.md': 'Avro, Protobuf and JSON Schema; subjects and compatibility',
    'guides/copy.md': 'within a cluster or to another one, resumable, exactly once',
    'guides/redrive.md': 'put dead letters back where they came from, none twice',
    'guarantees.md': 'order, loss and duplicates of records, fault by fault',
  },
  Groups: {
    'guides/groups.md': "see the lag, read yesterday's records again (replay), move and delete offsets",
  },
  Clusters: {
    'guides/top.md': 'rates, lag and health, for people and for scripts',
    'guides/access.md': 'who may do what',
    'guides/cluster-files.md': 'topics, users, access, quotas and schemas in files: what differs, and how to change it',
    'guides/cluster-in-git.md':
      'plans on pull requests, changes after the merge, drift each night: GitHub Actions and GitLab CI',
    'guides/reassign.md': 'plan, execute, watch and cancel',
  },
  'Redpanda and cloud': {
    'guides/cluster-config.md': 'read, change and export its properties',
    'guides/admin.md': 'brokers, restarts and upgrades, roles, connections, loggers, debug bundles',
    'guides/transforms.md': 'WebAssembly functions that run in the brokers',
    'guides/shadow-links.md': 'copy topics from another cluster, and fail over to the copies',
    'guides/cloud.md': 'resource groups, networks and clusters of Redpanda Cloud',
    'guides/byoc.md': 'Redpanda Cloud in your own cloud account',
  },
  Automate: {
    'agents.md': 'the rules in short, for programs and agents',
    'guides/scripting.md': 'exit codes, checks, waits, no questions',
    'guides/output.md': 'formats, streams, errors as data',
    'schemas/README.md': 'one for the output of each command, and what is promised about them',
  },
  Reference: {
    'commands/README.md':
      'a page for each command, the global flags, and what asks for confirmation (with a package, `man weir-topic-create` has the same)',
    'options.md': 'every `-X` option with its variable and default',
    'compatibility.md': 'which servers, systems and versions weir was tried on; upgrading and uninstalling',
    'tried.md': 'by command: real, simulated, or none',
    'differences.md': 'what is not as in rpk',
    'guides/sandbox-registry.md': 'for tests against it: what Apicurio does differently',
    'performance.md': 'how fast weir is, and how to measure it',
    'security.md': 'what is protected, where secrets are kept, and what is sent to whom',
  },
  Project: {
    '../.github/CONTRIBUTING.md': 'how to build, test and propose a change',
    'project/architecture.md': 'a map of the code, the way of a request, recipes',
    'project/kafka.md': 'connections, metadata, retries, pipelines',
    'project/http.md': 'one way for Admin API, registry and cloud',
    'project/sign-in.md': 'tokens and secrets in the code',
    'project/sandbox.md': 'what they answer, and how',
    'project/tests.md': 'kinds of tests, and the simulation',
    'project/soak.md': 'random faults for hours',
    'project/dependencies.md': 'what each is used for',
    'project/releasing.md': 'packages, and the steps to publish them',
  },
};

/** The pages that README.md names, after the map itself. */
const namedInReadme = ['guides/getting-started.md', 'guides/coming-from.md', 'guides/scripting.md', 'agents.md'];

const readmeMark = '<!-- From test/docs-map.ts, by "npm run generate" -->\n';

const llmsHeading = `\
# weir

> weir is a command-line client for Kafka-compatible platforms: brokers (Apache Kafka, Redpanda), Redpanda's Admin API, the
> schema registry and the cloud control plane. Most commands are a noun and a verb, such as \`weir topic create orders -p 3\`.
> Every command has \`--format json\`, a JSON Schema, a dry run if it changes something, and the same exit codes.

For programs: pass \`--format json --no-input --quiet\`, read \`weir help --json\` for the whole command tree, and branch on exit
codes and \`error.code\`. Run a destructive command with \`--dry-run\` first, then with \`--yes\`.
`;

/** Returns the text of every file with a list of pages, by path. */
export async function pagesWithLists(): Promise<ReadonlyMap<string, string>> {
  const lists = new Map<string, string>();
  for (const [group, pages] of Object.entries(docsMap)) {
    const lines = Object.keys(pages).map((page) => listed(page, ''));
    lists.set(group, (await Promise.all(lines)).join(''));
  }
  const section = (name: string, list = lists.get(name)) => `\n## ${name}\n\n${list}`;
  const programsFirst = ['Automate', ...[...lists.keys()].filter((group) => !/^(Automate|Project)$/.test(group))];
  const readme = await readFile('README.md', 'utf8');
  const [before = '', after] = readme.split(readmeMark);
  if (after === undefined) throw new Error(`README.md has no line ${readmeMark}`);
  const named = await Promise.all(namedInReadme.map((page) => listed(page, 'docs/')));
  const readOn = ['- [Documentation](docs/README.md): all guides, and the reference\n', ...named].join('');
  return new Map([
    ['docs/README.md', `# Documentation\n${[...lists.keys()].map((group) => section(group)).join('')}`],
    [
      'docs/llms.txt',
      `${llmsHeading}${programsFirst.map((group) => section(group)).join('')}${section('Optional', lists.get('Project'))}`,
    ],
    ['README.md', `${before}${readmeMark}${readOn}${after.replace(/^(?:- .*\n)*/, '')}`],
  ]);
}

/** The line of a page in a list of a file in the folder that holds `folder`. */
async function listed(page: string, folder: string): Promise<string> {
  const heading = /^# (.*)$/m.exec(await readFile(`docs/${page}`, 'utf8'))?.[1] ?? '';
  const clause = Object.values(docsMap).flatMap((pages) => pages[page] ?? [])[0];
  if (heading === '' || clause === undefined) throw new Error(`docs/${page} has no heading, or no line in the map`);
  return `- [${heading.replace(/: .*/, '')}](${folder}${page}): ${clause}\n`;
}
