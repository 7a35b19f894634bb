import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { Language, type Node, Parser } from 'web-tree-sitter';

// No registry has PowerShell itself: its grammar reads the script, and the rest is checked on the tree.
const script = readFileSync('completions/weir.ps1', 'utf8');

async function parsed(text: string): Promise<readonly Node[]> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
  const parser = new Parser().setLanguage(await Language.load(grammar));
  const all: Node[] = [];
  const collect = (node: Node) => {
    all.push(node);
    for (const child of node.children) collect(child);
  };
  const tree = parser.parse(text);
  if (tree !== null) collect(tree.rootNode);
  return all;
}

const nodes = await parsed(script);
const isWrong = ({ isError, isMissing }: Node): boolean => isError || isMissing;
const isNewer = ({ type }: Node): boolean => /ternary|null_coalesc|pipeline_chain_tail/.test(type);
const textsOf = (type: string) => [...new Set(nodes.filter((node) => node.type === type).map(({ text }) => text))];

test('the script is PowerShell, and nothing in it is newer than PowerShell 5.1', async () => {
  expect(nodes.filter(isWrong).map(({ text }) => text)).toEqual([]);
  const broken = await parsed(script.replace('if ($seen.Count -eq 0) {', 'if ($seen.Count -eq 0 {'));
  expect(broken.some(isWrong)).toBe(true);
  expect(nodes.filter(isNewer).map(({ text }) => text)).toEqual([]);
  expect(textsOf('command_name').toSorted()).toEqual([
    'ForEach-Object',
    'Get-Alias',
    'New-Object',
    'Register-ArgumentCompleter',
    'Select-Object',
    'Set-StrictMode',
    'Test-Path',
    'Where-Object',
  ]);
  // Windows PowerShell reads a file without a byte order mark in an old character set.
  expect(script).toMatch(/^[\t\n -~]+$/);
});

test('the script that people run on Windows before a release is PowerShell 5.1 as well', async () => {
  const tried = readFileSync('.ci/release/try/try-archive.ps1', 'utf8');
  const wrong = (await parsed(tried)).filter((node) => isWrong(node) || isNewer(node));
  expect(wrong.map(({ text }) => text)).toEqual([]);
  expect(tried).toMatch(/^[\t\n -~]+$/);
});

test('every variable that the script reads is one that it sets, or one of the language', () => {
  const ofLanguage = ['$_', '$true', '$null', '$ErrorActionPreference', '$global:LASTEXITCODE'];
  const code = script.replace(/@'\n.*?\n'@/s, '');
  const set = [...code.matchAll(/(?:^|[\s({,])(\$[\w:]+)(?= (?:\+?=|in) |, \$|\) ?\n|, \$\w+ =)/g)].map(
    ([, one]) => one,
  );
  const read = textsOf('variable').map((one) => one.replace(/^@(?=\w)/, '$'));
  expect(read.filter((one) => !set.includes(one) && !ofLanguage.includes(one))).toEqual([]);
  expect(read.length).toBeGreaterThan(20);
});

test('every word is a line of fields that the script can split', () => {
  const words = /@'\n(.*?)\n'@/s.exec(script)?.[1]?.split('\n') ?? [];
  expect(words.length).toBeGreaterThan(500);
  const fields = { c: 4, h: 3, f: [4, 5], o: 5, x: 4 } as const;
  for (const word of words) {
    const [kind = '', , spellings, help, value] = word.split('\t');
    expect(fields, word).toHaveProperty(kind);
    const wanted = [fields[kind as keyof typeof fields]].flat();
    expect(wanted, word).toContain(word.split('\t').length);
    expect(spellings, word).toMatch(kind === 'o' ? /^(?:\d+|\*)$/ : /^\S+$/);
    if (kind !== 'o') expect(help, word).not.toBe('');
    if (value !== undefined) expect(value, word).toMatch(/^(?:-|,?@?\S.*)$/);
  }
});
