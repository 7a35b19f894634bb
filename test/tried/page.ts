import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { markdownTable } from '../../src/cli/help/docs.ts';
import { type Leaf, leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands } from '../../src/commands/index.ts';

/**
 * The services that each command has worked on in the tests, by command; `simulated` stands for all that are not real, and
 * `no service` for runs that reached none.
 */
export type Tried = Readonly<Record<string, readonly string[]>>;

/** The file that `npm run tried` writes. */
export const triedFile = fileURLToPath(new URL('tried.json', import.meta.url));

const others = ['simulated', 'no service'];

/** The commands that are listed. */
export async function triedCommands(): Promise<readonly Leaf[]> {
  const nodes = await walkTree(commands.filter(({ hidden }) => !hidden));
  return leavesOf(nodes).filter(({ command }) => !command.hidden);
}

/** The page docs/tried.md, from the file. */
export async function triedPage(): Promise<string> {
  const tried = JSON.parse(await readFile(triedFile, 'utf8')) as Tried;
  const nouns = Map.groupBy(await triedCommands(), ({ path: [noun = ''] }) => noun);
  const rows = [...nouns].flatMap(([noun, leaves]) => {
    const bySupport = Map.groupBy(leaves, (leaf) => JSON.stringify(cellsOf(leaf, tried)));
    return [...bySupport].map(([cells, alike]) => [
      `\`${noun}\` ${alike.map(link).join(', ')}`.trim(),
      ...(JSON.parse(cells) as readonly string[]),
    ]);
  });
  return `${intro}${markdownTable(['commands', 'real', 'simulated or scripted'], rows)}\n`;
}

const intro = `<!-- Generated from test/tried/tried.json by "npm run generate": do not edit. -->
# What each command was tried on

A real service counts for a command if the command reached it in a test and succeeded, not only in a dry run; of several that it can
use, it may not have reached all. The last column has the APIs of a command that has worked on anything else. \`npm run tried\` runs
the tests and writes this down. [Compatibility](compatibility.md) has the systems, and what was tried by hand.

The simulated services were written after:

- **Kafka**: Apache Kafka 4.1.1, by comparing their answers with those of its brokers
- **Admin API**: the source of Redpanda of 2024-12 (1c6cff34) and 2026-07 (1b95a07c), never a running one
- **registry**: the source of Redpanda's of the same versions, and the documentation of Confluent's
- **control plane**: the API documents of Redpanda Cloud, never the cloud itself

`;

const apiNames = { kafka: 'Kafka', admin: 'Admin API', registry: 'registry', cloud: 'control plane' } as const;

/** The cells of a command: its real services, and its simulated ones, or that it needs none. */
function cellsOf({ path, command }: Leaf, tried: Tried): readonly string[] {
  const names = tried[path.join(' ')] ?? [];
  const real = names.filter((name) => !others.includes(name)).join(', ');
  const apis = command.apis.map((api) => apiNames[api]).join(', ');
  const simulated = names.includes('simulated') ? apis || 'yes' : '';
  if (real + simulated === '') return [names.includes('no service') ? 'needs no service' : 'not recorded', ''];
  return [real, simulated];
}

function link({ path }: Leaf): string {
  const [, ...words] = path;
  return `[${words.join(' ') || path.join(' ')}](commands/${path.join('-')}.md)`;
}
