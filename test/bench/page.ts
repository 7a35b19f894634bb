import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { writeCharts } from './chart.ts';
import { node, weir } from './world.ts';

const page = 'docs/performance.md';

/** Writes a benchmark's tables between its two marks in the docs, with what is needed to judge and repeat them. */
export function writeToPage(name: string, tables: string, command: string): void {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for ${name}: ${begin} and ${end}`);
  const section = [begin, `${new Date().toISOString().slice(0, 10)}, \`${command}\`; ${machine()}.`, '', '```text'];
  writeFileSync(page, `${text.slice(0, from)}${section.join('\n')}\n${tables.trim()}\n\`\`\`\n${text.slice(to)}`);
  writeCharts();
}

/** The machine's shape and the versions of what was measured, in one line. */
function machine(): string {
  const own = execFileSync(node, [weir, '--version'], { encoding: 'utf8' }).trim();
  const memory = Math.round(totalmem() / 2 ** 30);
  const versions = [own, `Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`, kcat(), java()];
  return `${type()}, ${cpus().length} processors, ${memory} GiB; ${versions.filter((text) => text !== '').join(', ')}`;
}

function kcat(): string {
  const found = /Version (\S+).*librdkafka (\S+)/.exec(spawnSync('kcat', ['-V'], { encoding: 'utf8' }).stdout ?? '');
  return found === null ? '' : `kcat ${found[1]} with librdkafka ${found[2]}`;
}

function java(): string {
  const found = /version "([^"]+)"/.exec(spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr ?? '');
  return found === null ? '' : `Java ${found[1]}`;
}
