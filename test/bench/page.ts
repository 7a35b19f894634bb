import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { defaultKafkaVersion } from '../../src/sandbox/kafka/libraries.ts';
import type { Report, Result } from './compare.ts';
import { cellOf } from './markdown.ts';
import { isInstalled } from './measure.ts';
import { node, weir } from './world.ts';

const page = 'docs/performance.md';
/** The README's table of times. */
const readme = { path: 'README.md', programs: ['weir', 'rpk', 'kcat'] };

/** Writes what was measured, when, where and with what, to the top of the page. */
export function writeMachine(command: string, load: number): void {
  const [{ model } = { model: 'unknown' }] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  const machine = `${type()} on ${cpus().length} processors (${model.trim()}), ${memory}, load ${load.toFixed(1)} before the run`;
  const missing = ['rpk', 'kcat', 'jq', 'java'].filter((program) => !isInstalled(program));
  const lines = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`${command.trim()}\`.`,
    '',
    `- Machine: ${machine}`,
    `- Programs: ${versions().join(', ')}`,
    ...(missing.length === 0 ? [] : [`- Not found, and not measured: ${missing.join(', ')}`]),
  ];
  writeSection('machine', `${lines.join('\n')}\n`);
}

/** Writes a benchmark's table to its place on the page. */
export function writeReport(name: string, { page: text }: Report): void {
  writeSection(name, text);
}

/** Replaces what stands between the two marks of a name. */
function writeSection(name: string, section: string): void {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for ${name}: ${begin} and ${end}`);
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${section.trim()}\n\n${text.slice(to)}`);
}

/** Writes the results that the README quotes to the rows that have their names. */
export function writeReadme(results: readonly Result[]): void {
  let text = readFileSync(readme.path, 'utf8');
  for (const result of results) {
    if (result.quoted === undefined) continue;
    const begin = `| ${result.quoted} |`;
    const from = text.indexOf(`\n${begin}`) + 1;
    if (from === 0) throw new Error(`${readme.path} has no row "${result.quoted}"`);
    const cells = readme.programs.map((program) => cellOf(result, program, 's'));
    text = `${text.slice(0, from)}${begin} ${cells.join(' | ')} |${text.slice(text.indexOf('\n', from))}`;
  }
  writeFileSync(readme.path, text);
}

function versions(): readonly string[] {
  const output = (program: string, flag: string): string => {
    const { stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' });
    return `${stdout ?? ''}${stderr ?? ''}`;
  };
  const kcat = /Version (\S+).*librdkafka (\S+)/.exec(output('kcat', '-V'));
  const java = /version "([^"]+)"/.exec(output('java', '-version'));
  // A released rpk has a version; one that somebody built has whatever they called it.
  const rpk = /rpk version (.*?) *\(rev/.exec(output('rpk', '--version'));
  return [
    execFileSync(weir, ['--version'], { encoding: 'utf8' }).trim(),
    `Node.js ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`,
    ...(rpk === null ? [] : [`rpk ${rpk[1]}`]),
    ...(kcat === null ? [] : [`kcat ${kcat[1]} with librdkafka ${kcat[2]}`]),
    `Kafka ${defaultKafkaVersion} and its scripts${java === null ? '' : ` on Java ${java[1]}`}`,
  ];
}
